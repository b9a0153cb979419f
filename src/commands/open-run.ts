import type { PullRequest } from '#codehost/port.ts'
import { addJobs } from '#db/jobs.ts'
import { putPullRequest, timeOfDatabase } from '#db/pull-requests.ts'
import type { Repository } from '#db/repositories.ts'
import { lockPlansOfPullRequest, type PlanRow, rebindRun } from '#db/runs.ts'
import type { Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { findRunView } from '#db/views/run-view.ts'
import { invalid, Problem } from '#errors.ts'
import { publishRunJob } from '#runtime/effects.ts'
import { beginRun } from './begin-run.ts'
import {
  actorOf,
  type Caller,
  isFinished,
  isOfJob,
  nameProblem,
  type RunnerCaller,
  supersededProblem,
} from './caller.ts'
import type { Deps } from './deps.ts'
import { type JoinRunRequest, joinRun } from './join-run.ts'
import { repoRefOf } from './repo-ref.ts'
import { type ShapedRun, shapeRun } from './shapes.ts'
import { type StartManualRequest, startManual } from './start-manual.ts'

/** The body of POST /v1/runs: which of it must be there depends on the credential (spec, 'POST /v1/runs'). */
export type OpenRunRequest = JoinRunRequest & StartManualRequest & { pr_number?: number | undefined }

export type OpenedRun = { run: ShapedRun; existing: boolean }

/**
 * Finds or creates the run that a job belongs to, or starts a manual one. A plan run that is created supersedes those of
 * older heads.
 */
export const openRun = async (deps: Deps, caller: Caller, body: OpenRunRequest, cause?: string): Promise<OpenedRun> => {
  if (caller.kind === 'key') return startManual(deps, caller, body, cause)
  if (caller.claims.event !== 'pull_request') return joinRun(deps, caller, body, cause)
  const number = checkRequest(caller, body)
  const asked = { caller, body, number, cause }
  // what was read may have been overtaken by a later read of another job: the second look is later than that
  const opened = (await openAtHead(deps, asked)) ?? (await openAtHead(deps, asked)) ?? supersededProblem()
  if (opened instanceof Problem) throw opened
  deps.runtime.wake()
  const view = await findRunView(deps.pool, opened.id)
  if (!view) throw new Error(`run ${opened.id} is gone`)
  return { run: shapeRun(deps.baseUrl, view), existing: opened.existing }
}

/** What the token says of the pull request is the truth; the body must agree. Answers the pull request's number. */
const checkRequest = (caller: RunnerCaller, body: OpenRunRequest): number => {
  const { claims } = caller
  if (claims.prNumber === undefined)
    throw new Problem('forbidden', `the token's ref ${claims.ref} is no pull request's`)
  if (body.mode && body.mode !== 'plan')
    throw invalid('mode', 'a job of a pull request registers a plan run: plan, or empty')
  if (!body.repo) throw invalid('repo', 'is missing: owner/name of the repository')
  if (!body.sha) throw invalid('sha', "is missing: the commit at the pull request's head")
  if (body.pr_number === undefined) throw invalid('pr_number', 'is missing: the number of the pull request')
  const foreign = nameProblem(caller, body.repo)
  if (foreign) throw foreign
  if (body.pr_number !== claims.prNumber) {
    throw new Problem('forbidden', `the token is of pull request ${claims.prNumber}, not of ${body.pr_number}`)
  }
  return claims.prNumber
}

/** The pull request as the code host shows it now; its head must be the commit that the job planned. */
const currentHead = async (deps: Deps, repository: Repository, number: number, sha: string): Promise<PullRequest> => {
  const pull = await deps.codehost.getPullRequest(repoRefOf(repository), number)
  if (!pull) throw new Problem('not_found', `pull request ${number} of ${repository.fullName} does not exist`)
  if (pull.headRepoId !== repository.id)
    throw new Problem('forbidden', 'a pull request from a fork is planned by nothing')
  if (pull.headSha !== sha) {
    throw new Problem('superseded', `${sha} is not the head of pull request ${number} any more: ${pull.headSha} is`)
  }
  if (pull.state === 'closed') throw new Problem('conflict', `pull request ${number} is closed`)
  return pull
}

type Asked = { caller: RunnerCaller; body: OpenRunRequest; number: number; cause: string | undefined }
type Found = { id: string; existing: boolean }

/** Undefined when the code host said something else of the pull request to somebody who asked later. */
const openAtHead = async (deps: Deps, asked: Asked): Promise<Found | Problem | undefined> => {
  const { caller, body, number } = asked
  const askedAt = await timeOfDatabase(deps.pool)
  const pull = await currentHead(deps, caller.repository, number, body.sha ?? '')
  return transact(deps.pool, async (tx) => {
    const row = await putPullRequest(tx, { ...pull, repoId: caller.repository.id }, askedAt)
    return row.headSha === pull.headSha && row.state === 'open' ? findOrCreate(deps, tx, asked, pull) : undefined
  })
}

const findOrCreate = async (deps: Deps, tx: Tx, asked: Asked, pull: PullRequest): Promise<Found | Problem> => {
  const { caller, body, cause } = asked
  const plans = await lockPlansOfPullRequest(tx, caller.repository.id, pull.number)
  const own = plans.filter((run) => run.trigger === 'pull_request')
  if (body.run_id !== undefined && !own.some((run) => run.id === body.run_id)) {
    return new Problem('forbidden', `run ${body.run_id} is no plan run of pull request ${pull.number}`)
  }
  const existing = existingRun(caller, own, pull.headSha, body.run_id)
  if (existing && (existing.status === 'superseded' || existing.sha !== pull.headSha)) return supersededProblem()
  if (existing) {
    if (!isFinished(existing) && !isOfJob(existing, caller)) {
      await rebindRun(tx, existing.id, caller.claims.workflowRunId, caller.claims.workflowRunAttempt)
    }
    return { id: existing.id, existing: true }
  }
  // the newest whatever the clock of this instance says: the comment shows the newest run
  const createdAt = new Date(Math.max(+deps.clock.now(), +(plans[0]?.created_at ?? 0) + 1))
  const id = await createRun(deps, tx, caller, { pull, baseSha: body.base_sha ?? pull.baseSha, cause, createdAt })
  const older = plans.filter((run) => run.status !== 'superseded' && run.sha !== pull.headSha)
  await deps.runtime.sendAll(
    tx,
    older.map((run) => ({
      to: { kind: 'run', id: run.id },
      event: { type: 'head.replaced', run_id: id, sha: pull.headSha },
      actor: actorOf(caller),
      cause,
    })),
  )
  return { id, existing: false }
}

/**
 * The run of this head that the job means: the one it names; one that is not finished; or a finished one of the same workflow
 * run and attempt. All jobs run again make a new one.
 */
const existingRun = (
  caller: RunnerCaller,
  plans: readonly PlanRow[],
  sha: string,
  named: string | undefined,
): PlanRow | undefined => {
  if (named !== undefined) return plans.find((run) => run.id === named)
  return plans.find((run) => run.sha === sha && (!isFinished(run) || isOfJob(run, caller)))
}

const createRun = async (
  deps: Deps,
  tx: Tx,
  caller: RunnerCaller,
  run: { pull: PullRequest; baseSha: string; cause: string | undefined; createdAt: Date },
): Promise<string> => {
  const { repository, claims } = caller
  const { pull, baseSha, cause, createdAt } = run
  const who = { actor: actorOf(caller), cause }
  const row = {
    repoId: repository.id,
    prNumber: pull.number,
    sha: pull.headSha,
    baseSha,
    mode: 'plan' as const,
    trigger: 'pull_request',
    requestedBy: pull.author,
    workflowRunId: claims.workflowRunId,
    workflowRunAttempt: claims.workflowRunAttempt,
    createdAt,
  }
  const id = await beginRun(deps.runtime, tx, row, who)
  await addJobs(tx, [publishRunJob(id, repository.installationId, cause ?? null)])
  return id
}
