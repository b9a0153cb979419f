import { isDeepStrictEqual } from 'node:util'
import type { PullRequest } from '#codehost/port.ts'
import { findOpenApply } from '#db/applies.ts'
import { type PullRequestRow, putPullRequest } from '#db/pull-requests.ts'
import type { Repository } from '#db/repositories.ts'
import type { Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { findPlanView } from '#db/views/plan-view.ts'
import type { StackChoice } from '#domain/choose-stacks.ts'
import type { RepoConfig } from '#domain/config-file.ts'
import { parseDuration } from '#domain/duration.ts'
import type { LockFact } from '#domain/gate/facts.ts'
import { evaluateGate, type GateReport } from '#domain/gate.ts'
import { Problem } from '#errors.ts'
import { beginApply } from './begin-apply.ts'
import { chosenOfPlan, stacksToApply } from './chosen-of-plan.ts'
import type { Deps } from './deps.ts'
import { type GateSubject, readGateSubject } from './gate-subject.ts'
import { type GatheredGate, gatherGate } from './gather-gate.ts'
import type { ScheduledStack } from './schedule-stacks.ts'

export type ApplyRequest = {
  repository: Repository
  prNumber: number
  how: 'comment' | 'on_merge'
  requester: string | undefined
  /** Keys and globs of the stacks; none stands for all of the plan. */
  words: readonly string[]
  /** When a comment asked for it. */
  askedAt?: Date
  cause?: string | undefined
  /** With the pull request's row locked, before anything is begun: false where another has answered the same request. */
  isOpen(tx: Tx): Promise<boolean>
  /** In the transaction that begins the run. */
  onBegun(tx: Tx, runId: string): Promise<void>
}

export type Refused = { outcome: 'refused'; subject: GateSubject; report: GateReport }

export type ApplyAnswer =
  | { outcome: 'begun'; runId: string }
  | Refused
  /** What was written chooses no stacks of the plan. */
  | { outcome: 'no_choice'; choice: Exclude<StackChoice, { kind: 'chosen' }>; subject: GateSubject }
  /** Another has answered the same request. */
  | { outcome: 'answered' }
  /** No such pull request. */
  | { outcome: 'gone' }

/** What was read outside of the transaction may have changed by then; it rarely does, and hardly ever three times. */
const attempts = 3

/**
 * Starts the apply of a pull request if the gate lets it through: locks, rows and the first wave in one transaction, which
 * finds the pull request and its plan as the gate saw them, or else looks at everything anew.
 */
export const startApply = async (deps: Deps, request: ApplyRequest): Promise<ApplyAnswer> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const answer = await tryApply(deps, request)
    if (answer !== 'changed') return answer
  }
  throw new Problem(
    'unavailable',
    `pull request ${request.prNumber} changed again and again while its apply was to begin`,
  )
}

const tryApply = async (deps: Deps, request: ApplyRequest): Promise<ApplyAnswer | 'changed'> => {
  const subject = await readGateSubject(deps, request.repository, request.prNumber)
  if (!subject) return { outcome: 'gone' }
  const { policy, plan } = subject
  const choice = await chosenOfPlan(deps, subject, request.words)
  if (choice && choice.kind !== 'chosen') return { outcome: 'no_choice', choice, subject }
  const { how, requester, askedAt } = request
  const gate = await gatherGate(deps, subject, { how, requester, askedAt, stacks: choice?.keys })
  if (!gate.report.allowed || !policy.ok || !plan?.graph_id) return { outcome: 'refused', subject, report: gate.report }
  const stacks = stacksToApply(plan, choice?.keys ?? [], policy.config)
  try {
    return await begin(deps, request, subject, { stacks, graphId: plan.graph_id, config: policy.config })
  } catch (error) {
    return refusedByLock(error, subject, gate)
  }
}

type Ready = { stacks: ScheduledStack[]; graphId: string; config: RepoConfig }

const begin = (
  deps: Deps,
  request: ApplyRequest,
  { repository, pull, readAt, plan }: GateSubject,
  { stacks, graphId, config }: Ready,
): Promise<ApplyAnswer | 'changed'> =>
  transact(deps.pool, async (tx) => {
    const { how, requester, cause } = request
    const row = await putPullRequest(tx, { ...pull, repoId: repository.id }, readAt)
    if (!(await request.isOpen(tx))) return { outcome: 'answered' }
    if (!isAsRead(how, row, pull) || (await findOpenApply(tx, repository.id, pull.number))) return 'changed'
    if (!isDeepStrictEqual(await findPlanView(tx, repository.id, pull.number), plan)) return 'changed'
    const who = { actor: requester ?? 'system', cause }
    const runId = await beginApply(deps, tx, {
      repoId: repository.id,
      prNumber: pull.number,
      sha: pull.headSha,
      baseSha: plan?.base_sha ?? null,
      trigger: how === 'comment' ? 'comment' : 'push',
      requestedBy: requester ?? 'system',
      graphId,
      stacks,
      remindAfter: Math.ceil((parseDuration(config.locks.remind_after) ?? 0) / 1000),
      who,
    })
    await request.onBegun(tx, runId)
    return { outcome: 'begun', runId }
  })

/**
 * A base that is not the recorded one is news which whoever follows it has yet to draw the consequences of: the plan is one
 * against the other base. What is merged keeps its base.
 */
const isAsRead = (how: ApplyRequest['how'], row: PullRequestRow, pull: PullRequest): boolean => {
  if (row.headSha !== pull.headSha) return false
  return how === 'comment' ? row.state === 'open' && row.baseRef === pull.baseRef : row.mergedAt !== null
}

type Conflict = { stack_key: string; run_id: string; pr_number?: number; taken_at?: string }

/** A lock was taken between the look at them and the try: the gate is judged again with what stood in the way. */
const refusedByLock = (error: unknown, subject: GateSubject, { facts }: GatheredGate): Refused => {
  if (!(error instanceof Problem) || error.code !== 'locked') throw error
  const conflicts = (error.details?.conflicts ?? []) as Conflict[]
  const locks = conflicts.map(
    ({ stack_key, run_id, pr_number, taken_at }): LockFact => ({
      stackKey: stack_key,
      runId: run_id,
      ...(pr_number === undefined ? {} : { prNumber: pr_number }),
      ...(taken_at === undefined ? {} : { takenAt: taken_at }),
    }),
  )
  const report = evaluateGate({ ...facts, locks })
  if (report.allowed) throw error
  return { outcome: 'refused', subject, report }
}
