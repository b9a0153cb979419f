import type { JobUpdate, RunUpdate } from '#emulator/actions/contract.ts'
import { type Commit, readCommit } from '#emulator/git/commits.ts'
import { testMerge } from '#emulator/pull-request-facts.ts'
import type {
  Account,
  CheckRun,
  PullRequest,
  Repository,
  Workflow,
  WorkflowJob,
  WorkflowRun,
} from '#emulator/records.ts'
import { suiteOf } from '#emulator/store.ts'
import { emitCheckRun, emitWorkflowJob, emitWorkflowRun } from '#emulator/webhooks/events.ts'
import type { World } from '#emulator/world.ts'

const workflowOf = (world: World, repository: Repository, path: string, name: string): Workflow => {
  const { store } = world
  const known = [...store.workflows.values()].find((one) => one.repository === repository && one.path === path)
  if (known) {
    known.name = name
    return known
  }
  const workflow: Workflow = { id: store.newId(), repository, path, name, createdAt: world.clock(), lastRunNumber: 0 }
  store.workflows.set(workflow.id, workflow)
  return workflow
}

/** The commits that a pull request's workflows see; undefined for one with a conflict, which GitHub runs none for. */
export const commitsForWorkflows = async (
  world: World,
  pull: PullRequest,
): Promise<{ merge: string; head: Commit } | undefined> => {
  const merge = await testMerge(world, pull)
  if (merge === undefined) return undefined
  return { merge, head: await readCommit(pull.repository.gitDir, pull.headSha) }
}

/** Books a run of a workflow for a pull request, as queued, and tells of it. */
export const recordPullRequestRun = (
  world: World,
  wanted: {
    pull: PullRequest
    commits: { merge: string; head: Commit }
    path: string
    /** The workflow's `name`, or its path where it has none. */
    name: string
    actor: Account
  },
): WorkflowRun => {
  const { pull, commits, actor } = wanted
  const { repository } = pull
  const workflow = workflowOf(world, repository, wanted.path, wanted.name)
  const now = world.clock()
  const head = { headSha: pull.headSha, headBranch: pull.headRef }
  const run: WorkflowRun = {
    id: world.store.newId(),
    number: ++workflow.lastRunNumber,
    attempt: 1,
    workflow,
    repository,
    event: 'pull_request',
    actor,
    displayTitle: pull.title,
    ...head,
    headCommit: commits.head,
    ref: `refs/pull/${pull.number}/merge`,
    sha: commits.merge,
    headRef: pull.headRef,
    baseRef: pull.baseRef,
    pull,
    suite: suiteOf(world.store, { repository, app: 'actions', ...head, now }),
    status: 'queued',
    conclusion: null,
    problem: undefined,
    createdAt: now,
    startedAt: now,
    updatedAt: now,
  }
  world.store.workflowRuns.set(run.id, run)
  emitWorkflowRun(world, run, 'requested')
  return run
}

/** Books a change of a run; a change of its status is told. */
export const recordRun = (world: World, update: RunUpdate): void => {
  const run = world.store.workflowRuns.get(update.id)
  if (!run) throw new Error(`there is no workflow run ${update.id}`)
  run.displayTitle = update.displayTitle ?? run.displayTitle
  run.problem = update.problem ?? run.problem
  run.updatedAt = world.clock()
  if (update.status === undefined || update.status === run.status) return
  run.status = update.status
  run.conclusion = update.status === 'completed' ? (update.conclusion ?? 'success') : null
  if (update.status !== 'queued') emitWorkflowRun(world, run, update.status)
}

/** Books a job as it now is, and its check run, which Actions makes for each job; a change of its status is told. */
export const recordJob = (world: World, update: JobUpdate): void => {
  const { store } = world
  const run = store.workflowRuns.get(update.runId)
  if (!run) throw new Error(`there is no workflow run ${update.runId}`)
  const now = world.clock()
  const known = store.jobs.get(update.id)
  const before = known?.status
  const { name, labels, status, conclusion, steps, attempt } = update
  const job: WorkflowJob = Object.assign(
    known ?? { id: update.id, run, log: '', createdAt: now, startedAt: null, completedAt: null },
    { name, labels, status, conclusion, steps, attempt },
  )
  if (status === 'in_progress') job.startedAt ??= now
  if (status === 'completed') {
    job.completedAt ??= now
    world.issuer.revoke(job.id)
  }
  store.jobs.set(job.id, job)
  const check = checkOf(world, job)
  if (before === undefined) emitCheckRun(world, check, 'created')
  if (before === status) return
  emitWorkflowJob(world, job)
  if (status === 'completed') emitCheckRun(world, check, 'completed')
}

/** A job and its check run share their id. */
const checkOf = (world: World, job: WorkflowJob): CheckRun => {
  const { run } = job
  const made: CheckRun = world.store.checkRuns.get(job.id) ?? {
    id: job.id,
    repository: run.repository,
    suite: run.suite,
    name: job.name,
    headSha: run.headSha,
    externalId: String(job.id),
    detailsUrl: `${world.urls.web}/${run.repository.owner.login}/${run.repository.name}/actions/runs/${run.id}/job/${job.id}`,
    status: job.status,
    conclusion: null,
    startedAt: null,
    completedAt: null,
    title: null,
    summary: null,
    text: null,
    annotations: [],
  }
  const { name, status, conclusion, startedAt, completedAt } = job
  const check = Object.assign(made, { name, status, conclusion, startedAt: startedAt ?? job.createdAt, completedAt })
  world.store.checkRuns.set(check.id, check)
  return check
}
