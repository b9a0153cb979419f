import type { JobUpdate, RunConclusion, RunUpdate } from '#emulator/actions/contract.ts'
import type { CheckRun, WorkflowJob, WorkflowRun } from '#emulator/records.ts'
import { emitCheckRun } from '#emulator/webhooks/check-events.ts'
import { emitWorkflowJob, emitWorkflowRun } from '#emulator/webhooks/events.ts'
import type { World } from '#emulator/world.ts'

/** Records a change of a run, and sends an event if its status changed. */
export const recordRun = (world: World, update: RunUpdate): void => {
  const run = world.store.workflowRuns.get(update.id)
  if (!run) throw new Error(`there is no workflow run ${update.id}`)
  run.displayTitle = update.displayTitle ?? run.displayTitle
  run.problem = update.problem ?? run.problem
  run.updatedAt = world.clock()
  if (update.status === undefined || update.status === run.status) return
  if (update.status === 'in_progress') begin(world, run)
  else if (update.status === 'completed') complete(world, run, update.conclusion ?? 'success')
  else run.status = update.status
}

const complete = (world: World, run: WorkflowRun, conclusion: RunConclusion): void => {
  Object.assign(run, { status: 'completed', conclusion })
  endJobs(world, run)
  emitWorkflowRun(world, run, 'completed')
}

/** Jobs of a completed run that never ended end as cancelled with it. */
const endJobs = (world: World, run: WorkflowRun): void => {
  for (const job of [...world.store.jobs.values()]) {
    if (job.run !== run || job.status === 'completed') continue
    const { id, attempt, name, labels, steps } = job
    recordJob(world, { id, runId: run.id, attempt, name, labels, steps, status: 'completed', conclusion: 'cancelled' })
  }
}

/** in_progress is sent once an attempt, however often the run waits for an approval in between. */
const begin = (world: World, run: WorkflowRun): void => {
  run.status = 'in_progress'
  if (!run.begun) emitWorkflowRun(world, run, 'in_progress')
  run.begun = true
}

/** A run waits while one of its jobs waits for its environment and none has a runner. No webhook reports that. */
const followJobs = (world: World, run: WorkflowRun): void => {
  if (run.status === 'completed') return
  const jobs = [...world.store.jobs.values()].filter((job) => job.run === run && job.attempt === run.attempt)
  const has = (status: WorkflowJob['status']): boolean => jobs.some((job) => job.status === status)
  if (has('in_progress')) begin(world, run)
  else if (has('waiting')) run.status = 'waiting'
  else if (run.status === 'waiting') run.status = run.begun ? 'in_progress' : 'queued'
}

/** Records a job's current state and its check run, which Actions makes for each job; sends an event if its status changed. */
export const recordJob = (world: World, update: JobUpdate): void => {
  const { store } = world
  const run = store.workflowRuns.get(update.runId)
  if (!run) throw new Error(`there is no workflow run ${update.runId}`)
  const now = world.clock()
  const known = store.jobs.get(update.id)
  const before = known?.status
  const { name, labels, status, conclusion, steps, attempt, outputs = {} } = update
  const job: WorkflowJob = Object.assign(
    known ?? { id: update.id, run, log: '', createdAt: now, startedAt: null, completedAt: null },
    { name, labels, status, conclusion, steps, attempt, outputs },
  )
  if (status === 'in_progress') job.startedAt ??= now
  if (status === 'completed') {
    job.completedAt ??= now
    world.issuer.revoke(job.id)
    world.approvals.delete(job.id)
  }
  store.jobs.set(job.id, job)
  const check = checkOf(world, job)
  if (before === undefined) emitCheckRun(world, check, 'created')
  if (before === status) return
  followJobs(world, run)
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
    status: 'queued',
    conclusion: null,
    startedAt: null,
    completedAt: null,
    title: null,
    summary: null,
    text: null,
    annotations: [],
  }
  const { name, status, conclusion, startedAt, completedAt } = job
  // A check run has no status for waiting.
  const shown = status === 'waiting' ? 'queued' : status
  const check = Object.assign(made, {
    name,
    status: shown,
    conclusion,
    startedAt: startedAt ?? job.createdAt,
    completedAt,
  })
  world.store.checkRuns.set(check.id, check)
  return check
}
