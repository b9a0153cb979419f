import type { PullRequest } from '#codehost/port.ts'
import { followPullRequest } from '#commands/host-news/follow-pull-request.ts'
import { reachPullRequest } from '#commands/host-news/reach-pull-request.ts'
import { recordPullRequest } from '#commands/host-news/record-pull-request.ts'
import { beginRun } from '#commands/runs/begin-run.ts'
import { addWarnings, rebindRun } from '#db/machines/runs.ts'
import { addJobs } from '#db/queue/jobs.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import { type GroupRun, groupRunIds, lockGroupRuns } from '#db/runs/merge-group-runs.ts'
import type { Tx } from '#db/sql.ts'
import type { MergeGroup } from '#domain/merge-group.ts'
import { isOpen } from '#domain/run-status.ts'
import { treePlanned } from '#domain/texts/warnings.ts'
import { makeJob } from '#jobs/job.ts'
import type { Who } from '#runtime/message.ts'
import type { Deps } from '../deps.ts'
import type { PlannedTree } from './planned-tree.ts'

/** A merge group as the code host shows it, and the job that plans it, if it is a job that tells of it. */
export type QueuedGroup = {
  repository: Repository
  group: MergeGroup
  sha: string
  baseSha: string | undefined
  /** The group's last pull request, and when the code host was asked for it. */
  pull: PullRequest
  askedAt: Date
  planned: PlannedTree | undefined
  job: { workflowRunId: number; workflowRunAttempt: number } | undefined
  who: Who
}

/**
 * Finds or begins the plan run of a merge group, in the caller's transaction. The webhook and the group's job may come in either order:
 * the row of the pull request, locked first, lets one of them begin it. A run whose very tree was planned is planned at once.
 */
export const findOrBeginGroupRun = async (
  deps: Pick<Deps, 'runtime' | 'clock'>,
  tx: Tx,
  queued: QueuedGroup,
): Promise<{ id: string; existing: boolean }> => {
  const { repository, group, sha, job, pull, askedAt, who } = queued
  const news = await recordPullRequest(tx, repository, pull, askedAt)
  const reached = await reachPullRequest(tx, news, { runIds: await groupRunIds(tx, repository.id, group.branch) })
  await followPullRequest(deps, tx, news, reached, { actor: 'system', cause: who.cause })
  const runs = await lockGroupRuns(tx, repository.id, group.branch)
  const existing = runs.find((run) => run.sha === sha && (isOpen(run.status) || isOfJob(run, job) || isUnheard(run)))
  if (!existing) return { id: await begin(deps, tx, queued), existing: false }
  if (job && isOpen(existing.status) && !isOfJob(existing, job))
    await rebindRun(tx, existing.id, job.workflowRunId, job.workflowRunAttempt)
  return { id: existing.id, existing: true }
}

const isOfJob = (run: GroupRun, job: QueuedGroup['job']): boolean =>
  job !== undefined && run.workflow_run_id === job.workflowRunId && run.workflow_run_attempt === job.workflowRunAttempt

/** Planned as soon as the webhook told of it: there is nothing for a job to do. */
const isUnheard = (run: GroupRun): boolean => run.status === 'planned' && run.workflow_run_id === null

const begin = async (deps: Pick<Deps, 'runtime' | 'clock'>, tx: Tx, queued: QueuedGroup): Promise<string> => {
  const { repository, group, planned, pull, job, who } = queued
  const { runtime, clock } = deps
  const row = {
    repo_id: repository.id,
    pr_number: null,
    sha: queued.sha,
    base_sha: queued.baseSha ?? null,
    mode: 'plan' as const,
    trigger: 'pull_request' as const,
    merge_group: group.branch,
    requested_by: pull.author,
    workflow_run_id: job?.workflowRunId ?? null,
    workflow_run_attempt: job?.workflowRunAttempt ?? null,
    ...(planned === undefined ? {} : { graph_id: planned.graphId }),
    created_at: clock.now(),
  }
  const id = await beginRun(runtime, tx, row, who)
  await addJobs(tx, [
    makeJob('publish_run', { run_id: id }, { installationId: repository.installation_id, cause: who.cause }),
  ])
  if (planned === undefined) return id
  await addWarnings(tx, [{ runId: id, warning: { ...treePlanned(planned), at: clock.now().toISOString() } }])
  const event = { type: 'graph.resolved' as const, tallies: [] }
  const [sent] = await runtime.sendAll(tx, [{ to: { kind: 'run', id }, event, ...who }])
  if (sent?.problem) throw sent.problem
  return id
}
