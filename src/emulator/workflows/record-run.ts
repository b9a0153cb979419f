import { type Commit, readCommit } from '#emulator/git/commits.ts'
import { testMerge } from '#emulator/pull-request-facts.ts'
import type { Account, MergeGroup, PullRequest, Repository, WorkflowRun } from '#emulator/records.ts'
import { suiteOf } from '#emulator/store.ts'
import { emitWorkflowRun } from '#emulator/webhooks/events.ts'
import type { World } from '#emulator/world.ts'
import { workflowOf } from './workflow-of.ts'

/** The commits that a pull request's workflows see; undefined with a conflict, since GitHub runs no workflows then. */
export const commitsForWorkflows = async (
  world: World,
  pull: PullRequest,
): Promise<{ merge: string; head: Commit } | undefined> => {
  const merge = await testMerge(world, pull)
  if (merge === undefined) return undefined
  return { merge, head: await readCommit(pull.repository.gitDir, pull.headSha) }
}

/** The workflow file. `name` is the workflow's, or its path if it has none. */
export type RunFile = { path: string; name: string; text: string; payload: Record<string, unknown>; actor: Account }

type Particulars = Pick<
  WorkflowRun,
  'event' | 'displayTitle' | 'headSha' | 'headBranch' | 'headCommit' | 'ref' | 'sha' | 'headRef' | 'baseRef' | 'inputs'
> & { pull?: PullRequest }

/** Records a run as queued, and sends the event. */
const recordNewRun = (world: World, repository: Repository, file: RunFile, particulars: Particulars): WorkflowRun => {
  const workflow = workflowOf(world, repository, file.path, file.name)
  const now = world.clock()
  const { headSha, headBranch } = particulars
  const run: WorkflowRun = {
    id: world.store.newId(),
    number: ++workflow.lastRunNumber,
    attempt: 1,
    workflow,
    repository,
    actor: file.actor,
    text: file.text,
    payload: file.payload,
    pull: undefined,
    ...particulars,
    suite: suiteOf(world.store, { repository, app: 'actions', headSha, headBranch, now }),
    status: 'queued',
    conclusion: null,
    begun: false,
    kept: new Set(),
    problem: undefined,
    createdAt: now,
    startedAt: now,
    updatedAt: now,
  }
  world.store.workflowRuns.set(run.id, run)
  emitWorkflowRun(world, run, 'requested')
  return run
}

/** A run of a workflow for a pull request. */
export const recordPullRequestRun = (
  world: World,
  pull: PullRequest,
  commits: { merge: string; head: Commit },
  file: RunFile,
): WorkflowRun =>
  recordNewRun(world, pull.repository, file, {
    event: 'pull_request',
    displayTitle: pull.title,
    headSha: pull.headSha,
    headBranch: pull.headRef,
    headCommit: commits.head,
    ref: `refs/pull/${pull.number}/merge`,
    sha: commits.merge,
    headRef: pull.headRef,
    baseRef: pull.baseRef,
    inputs: {},
    pull,
  })

/** A run of a workflow for a merge group, at the commit that the queue made. */
export const recordGroupRun = (world: World, group: MergeGroup, head: Commit, file: RunFile): WorkflowRun =>
  recordNewRun(world, group.pull.repository, file, {
    event: 'merge_group',
    displayTitle: group.pull.title,
    headSha: group.sha,
    headBranch: group.branch,
    headCommit: head,
    ref: `refs/heads/${group.branch}`,
    sha: group.sha,
    headRef: '',
    baseRef: '',
    inputs: {},
  })

/** A run of a dispatched workflow, on the tip of a branch or tag: `ref` is the full one. */
export const recordDispatchedRun = (
  world: World,
  repository: Repository,
  file: RunFile,
  dispatch: { ref: string; head: Commit; inputs: Record<string, string>; title: string },
): WorkflowRun =>
  recordNewRun(world, repository, file, {
    event: 'workflow_dispatch',
    displayTitle: dispatch.title,
    headSha: dispatch.head.sha,
    headBranch: dispatch.ref.replace(/^refs\/(heads|tags)\//, ''),
    headCommit: dispatch.head,
    ref: dispatch.ref,
    sha: dispatch.head.sha,
    headRef: '',
    baseRef: '',
    inputs: dispatch.inputs,
  })
