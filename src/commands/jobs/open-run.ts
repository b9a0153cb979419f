import type { PullRequest } from '#codehost/port.ts'
import { actorOf, type Caller, ownerOf, type RunnerCaller } from '#commands/callers/caller.ts'
import { isOfJob, nameProblem } from '#commands/callers/claim-problem.ts'
import { followPullRequest } from '#commands/host-news/follow-pull-request.ts'
import { type Reached, reachPullRequest } from '#commands/host-news/reach-pull-request.ts'
import { recordPullRequest } from '#commands/host-news/record-pull-request.ts'
import { openGroupRun } from '#commands/merge-queue/open-group-run.ts'
import { beginRun } from '#commands/runs/begin-run.ts'
import { type StartManualRequest, startManual } from '#commands/runs/start-manual.ts'
import { supersededProblem } from '#commands/runs/superseded-problem.ts'
import { type ShapedRun, shapeRun } from '#commands/shapes/shape-run.ts'
import { type PlanRow, plansOfPullRequest, rebindRun } from '#db/machines/runs.ts'
import { timeOfDatabase } from '#db/moment.ts'
import { addJobs } from '#db/queue/jobs.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import type { Tx } from '#db/sql.ts'
import { ofInstallation } from '#db/tenant.ts'
import { findRunView } from '#db/views/runs/run-view.ts'
import { isOpen } from '#domain/run-status.ts'
import { invalid, Problem } from '#errors.ts'
import { makeJob } from '#jobs/job.ts'
import { rowOfPullRequest } from '#runtime/row-turns.ts'
import type { Deps } from '../deps.ts'
import { type JoinRunRequest, joinRun } from './join-run.ts'

/** The body of POST /v1/runs: the credential decides which fields are required (docs/interface.md, 'POST /v1/runs'). */
export type OpenRunRequest = JoinRunRequest & StartManualRequest & { pr_number?: number | undefined }

export type OpenedRun = { run: ShapedRun; existing: boolean }

/**
 * Finds or creates the run that a job belongs to, or starts a manual one. A new plan run supersedes the plan runs of older
 * heads.
 */
export const openRun = async (deps: Deps, caller: Caller, body: OpenRunRequest, cause?: string): Promise<OpenedRun> => {
  if (caller.kind === 'key') return startManual(deps, caller, body, cause)
  const { mergeGroup } = caller.claims
  if (mergeGroup !== undefined) return shown(deps, caller, await openGroupRun(deps, caller, mergeGroup, body, cause))
  if (caller.claims.event !== 'pull_request') return joinRun(deps, caller, body, cause)
  const number = checkRequest(caller, body)
  const asked = { caller, body, number, cause }
  // another job may have read later than this one: the second look is later than that
  const opened = (await openAtHead(deps, asked)) ?? (await openAtHead(deps, asked)) ?? supersededProblem()
  if (opened instanceof Problem) throw opened
  return shown(deps, caller, opened)
}

const shown = async (deps: Deps, { repository }: RunnerCaller, opened: Found): Promise<OpenedRun> => {
  deps.runtime.wake()
  const view = await findRunView(ofInstallation(deps.pool, repository.installation_id), opened.id)
  if (!view) throw new Error(`run ${opened.id} is gone`)
  return { run: shapeRun(deps.baseUrl, view), existing: opened.existing }
}

/** What the token says of the pull request is the truth; the body must agree. Returns the pull request's number. */
const checkRequest = (caller: RunnerCaller, body: OpenRunRequest): number => {
  const { claims } = caller
  if (claims.prNumber === undefined)
    throw new Problem('forbidden', `the token's ref ${claims.ref} is not a pull request's`)
  if (body.mode && body.mode !== 'plan')
    throw invalid('mode', 'a job of a pull request registers a plan run: plan, or empty')
  if (!body.repo) throw invalid('repo', 'is missing: owner/name of the repository')
  if (!body.sha) throw invalid('sha', "is missing: the commit at the pull request's head")
  if (body.pr_number === undefined) throw invalid('pr_number', 'is missing: the number of the pull request')
  const foreign = nameProblem(caller, body.repo)
  if (foreign) throw foreign
  if (body.pr_number !== claims.prNumber) {
    throw new Problem('forbidden', `the token belongs to pull request ${claims.prNumber}, not to ${body.pr_number}`)
  }
  return claims.prNumber
}

/** The pull request as the code host shows it now; its head must be the commit that the job planned. */
const currentHead = async (deps: Deps, repository: Repository, number: number, sha: string): Promise<PullRequest> => {
  const pull = await deps.codehost.getPullRequest(repository, number)
  if (!pull) throw new Problem('not_found', `pull request ${number} of ${repository.full_name} does not exist`)
  if (pull.headRepoId !== repository.id) throw new Problem('forbidden', 'pull requests from forks are not planned')
  if (pull.headSha !== sha) {
    throw new Problem('superseded', `${sha} is not the head of pull request ${number} any more: ${pull.headSha} is`)
  }
  if (pull.state === 'closed') throw new Problem('conflict', `pull request ${number} is closed`)
  return pull
}

type Asked = { caller: RunnerCaller; body: OpenRunRequest; number: number; cause: string | undefined }
type Found = { id: string; existing: boolean }

/** Undefined if the code host told a later reader something else about the pull request. */
const openAtHead = async (deps: Deps, asked: Asked): Promise<Found | Problem | undefined> => {
  const { caller, body, number } = asked
  const askedAt = await timeOfDatabase(deps.pool)
  const pull = await currentHead(deps, caller.repository, number, body.sha ?? '')
  const { id: repoId, installation_id: installationId } = caller.repository
  const place = { owner: ownerOf(caller), row: rowOfPullRequest(repoId, number), installationId }
  return deps.runtime.transactInTurn(place, async (tx) => {
    const news = await recordPullRequest(tx, caller.repository, pull, askedAt)
    const isNewest = news.now.head_sha === pull.headSha && news.now.state === 'open'
    const plans = await plansOfPullRequest(tx, repoId, number)
    const reached = await reachPullRequest(tx, news, { runIds: plans.map(({ id }) => id) })
    // first, so that what it replaces is told which run came instead
    const found = isNewest ? await findOrCreate(deps, tx, asked, pull) : undefined
    const made =
      isOfFormerBase(asked, pull, reached) && isCreated(found) ? [{ id: found.id, mode: 'plan' as const }] : []
    const replaced = { ...reached, stale: [...reached.stale, ...made] }
    await followPullRequest(deps, tx, news, replaced, { actor: 'system', cause: asked.cause })
    return found
  })
}

/**
 * The job is the first to tell that the base branch was changed, and may have begun before that: its changes are those since the former
 * base, unless it says that it compared with the new one. The code host starts no other job for the new base.
 */
const isOfFormerBase = ({ body }: Asked, pull: PullRequest, { formerBase }: Reached): boolean =>
  formerBase !== undefined && body.base_sha !== pull.baseSha

const isCreated = (found: Found | Problem | undefined): found is Found =>
  found !== undefined && !(found instanceof Problem) && !found.existing

const findOrCreate = async (deps: Deps, tx: Tx, asked: Asked, pull: PullRequest): Promise<Found | Problem> => {
  const { caller, body, cause } = asked
  // all of them are locked, and none is made without the pull request's row
  const plans = await plansOfPullRequest(tx, caller.repository.id, pull.number)
  const own = plans.filter((run) => run.trigger === 'pull_request')
  if (body.run_id !== undefined && !own.some((run) => run.id === body.run_id)) {
    return new Problem('forbidden', `run ${body.run_id} is not a plan run of pull request ${pull.number}`)
  }
  const existing = existingRun(caller, own, pull.headSha, body.run_id)
  if (existing && (existing.status === 'superseded' || existing.sha !== pull.headSha)) return supersededProblem()
  if (existing) {
    if (isOpen(existing.status) && !isOfJob(existing, caller)) {
      await rebindRun(tx, existing.id, caller.claims.workflowRunId, caller.claims.workflowRunAttempt)
    }
    return { id: existing.id, existing: true }
  }
  // the newest, whatever the clock of this instance says: the comment shows the newest run
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
 * The run of this head that the job means: the one it names; an unfinished one; or a finished one of the same workflow run
 * and attempt. Running all jobs again makes a new one.
 */
const existingRun = (
  caller: RunnerCaller,
  plans: readonly PlanRow[],
  sha: string,
  named: string | undefined,
): PlanRow | undefined => {
  if (named !== undefined) return plans.find((run) => run.id === named)
  return plans.find((run) => run.sha === sha && (isOpen(run.status) || isOfJob(run, caller)))
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
    repo_id: repository.id,
    pr_number: pull.number,
    sha: pull.headSha,
    base_sha: baseSha,
    mode: 'plan' as const,
    trigger: 'pull_request' as const,
    requested_by: pull.author,
    workflow_run_id: claims.workflowRunId,
    workflow_run_attempt: claims.workflowRunAttempt,
    created_at: createdAt,
  }
  const id = await beginRun(deps.runtime, tx, row, who)
  await addJobs(tx, [makeJob('publish_run', { run_id: id }, { installationId: repository.installation_id, cause })])
  return id
}
