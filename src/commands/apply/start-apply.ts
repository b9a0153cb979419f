import { isDeepStrictEqual } from 'node:util'
import type { PullRequest } from '#codehost/port.ts'
import { followPullRequest } from '#commands/host-news/follow-pull-request.ts'
import { reachPullRequest } from '#commands/host-news/reach-pull-request.ts'
import { recordPullRequest } from '#commands/host-news/record-pull-request.ts'
import { beginApply } from '#commands/runs/begin-apply.ts'
import type { PlacedStack } from '#commands/runs/place-stacks.ts'
import { conflictsOf, openStackLocks } from '#commands/runs/take-locks.ts'
import { timeOfDatabase } from '#db/moment.ts'
import type { PullRequestRow } from '#db/repositories/pull-requests.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import { findOpenApply } from '#db/runs/applies.ts'
import { keepDecision } from '#db/runs/gate-decisions.ts'
import type { Tx } from '#db/sql.ts'
import { ofInstallation } from '#db/tenant.ts'
import { transact } from '#db/transact.ts'
import { findPlanView } from '#db/views/runs/plan-view.ts'
import type { RepoConfig } from '#domain/config/config-file.ts'
import { parseDuration } from '#domain/duration.ts'
import { evaluateGate, type GateReport, layerFacts } from '#domain/gate/evaluate-gate.ts'
import { rulesTaken } from '#domain/gate/rules/take-rules.ts'
import { waiversOf } from '#domain/gate/waivers.ts'
import { keptBy } from '#domain/gate/windows.ts'
import type { StackChoice } from '#domain/resolution/choose-stacks.ts'
import { Problem } from '#errors.ts'
import type { Deps } from '../deps.ts'
import { chosenOfPlan, stacksToApply } from './chosen-of-plan.ts'
import { type GateSubject, readGateSubject } from './gate-subject.ts'
import { type JudgedApply, judgeApply } from './judge-apply.ts'
import { lockFact } from './lock-fact.ts'
import { auditWaivers, verdictsWaived, waiveChecks } from './waive-checks.ts'

export type ApplyRequest = {
  repository: Repository
  prNumber: number
  how: 'comment' | 'on_merge'
  requester: string | undefined
  /** Keys and globs of the stacks; none means all of the plan. */
  words: readonly string[]
  /** When a comment asked for it. */
  askedAt?: Date
  cause?: string | undefined
  /** With the pull request's row locked, before anything begins: false if another worker has answered the same request. */
  isOpen(tx: Tx): Promise<boolean>
  /** In the transaction that begins the run. */
  onBegun(tx: Tx, runId: string): Promise<void>
}

export type Refused = { outcome: 'refused'; subject: GateSubject; report: GateReport }

export type ApplyAnswer =
  | { outcome: 'begun'; runId: string }
  | Refused
  /** The words choose no stacks of the plan. */
  | { outcome: 'no_choice'; choice: Exclude<StackChoice, { kind: 'chosen' }>; subject: GateSubject }
  /** Another worker has answered the same request. */
  | { outcome: 'answered' }
  /** No such pull request. */
  | { outcome: 'gone' }

/** What was read outside the transaction may have changed since; that is rare, and three times in a row hardly happens. */
const attempts = 3

/**
 * Starts the apply of a pull request if the gate allows it: locks, rows and the first wave in one transaction. The
 * transaction must find the pull request and its plan as the gate saw them; otherwise everything is read again.
 */
export const startApply = async (deps: Deps, request: ApplyRequest): Promise<ApplyAnswer> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const answer = await tryApply(deps, request)
    if (answer !== 'changed') return answer
  }
  throw new Problem('unavailable', `pull request ${request.prNumber} kept changing while its apply was about to begin`)
}

const tryApply = async (deps: Deps, request: ApplyRequest): Promise<ApplyAnswer | 'changed'> => {
  const subject = await readGateSubject(deps, request.repository, request.prNumber)
  if (!subject) return { outcome: 'gone' }
  const { policy, plan } = subject
  const choice = await chosenOfPlan(deps, subject, request.words)
  if (choice && choice.kind !== 'chosen') return { outcome: 'no_choice', choice, subject }
  const { how, requester, askedAt } = request
  const gate = await judgeApply(deps, subject, { how, requester, askedAt, stacks: choice?.keys })
  if (!gate.report.allowed || !policy.ok || !plan?.graph_id) return { outcome: 'refused', subject, report: gate.report }
  const stacks = await stacksToApply(plan, choice?.keys ?? [], policy.config)
  try {
    return await begin(deps, request, subject, {
      stacks,
      graphId: plan.graph_id,
      config: policy.config,
      gate,
    })
  } catch (error) {
    return refusedByLock(error, subject, gate)
  }
}

type Ready = { stacks: PlacedStack[]; graphId: string; config: RepoConfig; gate: JudgedApply }

const begin = (
  deps: Deps,
  request: ApplyRequest,
  { repository, pull, readAt, plan }: GateSubject,
  { stacks, graphId, config, gate }: Ready,
): Promise<ApplyAnswer | 'changed'> =>
  transact(ofInstallation(deps.pool, repository.installation_id), async (tx) => {
    const { how, requester, cause } = request
    const who = { actor: requester ?? 'system', cause }
    const waivers = waiversOf(gate.facts, rulesTaken(gate.facts))
    const waived = plan ? verdictsWaived(plan, waivers) : []
    const news = await recordPullRequest(tx, repository, pull, readAt)
    const keys = stacks.map(({ key }) => key)
    const stackIds = await openStackLocks(deps.runtime, tx, { repoId: repository.id, keys, who })
    const runIds = waived.map(({ run_id }) => run_id)
    const reached = await reachPullRequest(tx, news, { runIds, stackIds: [...stackIds.values()] })
    await followPullRequest(deps, tx, news, reached, { actor: 'system', cause })
    if (!(await request.isOpen(tx))) return { outcome: 'answered' }
    if (!isAsRead(how, news.now, pull) || (await findOpenApply(tx, repository.id, pull.number))) return 'changed'
    if (!plan || !isDeepStrictEqual(await findPlanView(tx, repository.id, pull.number), plan)) return 'changed'
    if (isClosedNow(config, gate, await timeOfDatabase(tx))) return 'changed'
    await waiveChecks(tx, repository, waived, cause)
    const runId = await beginApply(deps, tx, {
      repoId: repository.id,
      prNumber: pull.number,
      sha: pull.headSha,
      baseSha: plan.base_sha,
      trigger: how === 'comment' ? 'comment' : 'push',
      requestedBy: requester ?? 'system',
      graphId,
      stacks,
      stackIds,
      asksWindows: config.apply.windows.some(({ hold }) => hold === 'waves'),
      remindAfter: Math.ceil((parseDuration(config.locks.remind_after) ?? 0) / 1000),
      who,
    })
    await keepDecision(tx, runId, {
      asked_by: requester ?? null,
      decided_at: deps.clock.now(),
      facts: layerFacts(gate.report),
    })
    await auditWaivers(deps, tx, repository, { prNumber: pull.number, runId }, waivers)
    await request.onBegun(tx, runId)
    return { outcome: 'begun', runId }
  })

/** Whether nothing later is known than what was judged. A merged pull request keeps its base. */
const isAsRead = (how: ApplyRequest['how'], row: PullRequestRow, pull: PullRequest): boolean => {
  if (row.head_sha !== pull.headSha) return false
  return how === 'comment' ? row.state === 'open' && row.base_ref === pull.baseRef : row.merged_at !== null
}

/** A window may have closed since the gate looked: until here nothing has begun. */
const isClosedNow = (config: RepoConfig, { facts }: JudgedApply, now: Date): boolean =>
  config.apply.windows.length > 0 && keptBy(config.apply.windows, facts, now) !== undefined

/** A lock was taken between the check and the attempt: the gate is judged again with that lock. */
const refusedByLock = (error: unknown, subject: GateSubject, { facts }: JudgedApply): Refused => {
  if (!(error instanceof Problem) || error.code !== 'locked') throw error
  const locks = conflictsOf(error).map(lockFact)
  const report = evaluateGate({ ...facts, locks })
  if (report.allowed) throw error
  return { outcome: 'refused', subject, report }
}
