import type { WorkflowJob, WorkflowRun } from '#emulator/records.ts'
import type { World } from '#emulator/world.ts'
import { recordRun } from './record.ts'

/** Hands a recorded run to the engine. Without an engine, or if a fault says so, it stays queued until a test plays it. */
export const startRun = (world: World, run: WorkflowRun): void => {
  const { id, attempt } = run
  const fault = world.faults.onWorkflow(run.workflow.path)
  if (fault === 'startup_failure') {
    recordRun(world, { id, attempt, status: 'completed', conclusion: 'startup_failure' })
    return
  }
  const { engine, running } = world.actions
  if (!engine || fault === 'never-picked-up') return
  const { repository } = run
  const started = engine.start({
    id,
    attempt,
    number: run.number,
    event: run.event,
    repo: {
      id: repository.id,
      owner: repository.owner.login,
      ownerId: repository.owner.id,
      name: repository.name,
      defaultBranch: repository.defaultBranch,
    },
    ref: run.ref,
    sha: run.sha,
    headRef: run.headRef,
    baseRef: run.baseRef,
    payload: run.payload,
    inputs: run.inputs,
    kept: Object.fromEntries([...run.kept].map((job) => [job.name, job.outputs])),
    workflowPath: run.workflow.path,
    workflowText: run.text,
    actor: run.actor.login,
    gitDir: repository.gitDir,
    vars: repository.vars,
    // GitHub gives the workflows of a fork no secrets.
    secrets: isOfFork(run) ? {} : repository.secrets,
  })
  running.set(id, started)
  void started.done.finally(() => {
    // A re-run may have replaced it by now.
    if (running.get(id) === started) running.delete(id)
  })
}

/** Whether a run is for a pull request from another repository, perhaps a deleted one. */
export const isOfFork = (run: WorkflowRun): boolean =>
  run.pull !== undefined && run.pull.headRepository !== run.repository

/** The jobs of a run's latest attempt, and the earlier jobs that it took over. */
export const latestJobs = (world: World, run: WorkflowRun): WorkflowJob[] =>
  [...world.store.jobs.values()].filter((job) => job.run === run && (job.attempt === run.attempt || run.kept.has(job)))

/** Ends a run that is not over: through the engine if it runs there, else only in the records. */
export const cancelRun = (world: World, run: WorkflowRun): void => {
  const running = world.actions.running.get(run.id)
  if (running) running.cancel()
  else recordRun(world, { id: run.id, attempt: run.attempt, status: 'completed', conclusion: 'cancelled' })
}

/**
 * Runs a completed run again, under its id, as the next attempt: same commit, same inputs, same text. Only `in_progress` and
 * `completed` are sent for it (GitHub Docs, 'Webhook events and payloads', workflow_run).
 */
export const rerunRun = (world: World, run: WorkflowRun, which: 'all' | 'failed'): void => {
  if (run.status !== 'completed')
    throw new Error(`workflow run ${run.id} is ${run.status}: only a completed one is re-run`)
  const good = latestJobs(world, run).filter((job) => job.conclusion === 'success')
  const now = world.clock()
  run.kept = new Set(which === 'failed' ? good : [])
  run.attempt += 1
  Object.assign(run, { status: 'queued', conclusion: null, begun: false, startedAt: now, updatedAt: now })
  startRun(world, run)
}
