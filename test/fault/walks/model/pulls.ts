import { hearPull } from './locks.ts'
import type { Job, Model, Pull, Run } from './model.ts'
import { supersedeApply, supersedePlan } from './runs.ts'

/* A pull request as the service learns of it, from whatever: a webhook, a registration, a comment (docs/interface.md, 'States'). */

export const pullOf = (model: Model, number: number): Pull => {
  const pull = model.pulls[number]
  if (!pull) throw new Error(`the model has no pull request ${number}`)
  return pull
}

/** The service looks at it: runs of other commits are superseded, its locks hear of its state. */
export const learn = (model: Model, number: number): void => {
  const { sha } = pullOf(model, number)
  for (const run of model.runs) {
    if (run.pull !== number || run.sha === sha) continue
    if (run.mode === 'plan' && run.status !== 'superseded') supersedePlan(run)
    if (run.mode === 'apply' && run.status === 'applying') supersedeApply(model, run)
  }
  hearPull(model, number)
}

/** What registering a job of a pull request is answered; the run is undefined where a new one is made. */
export type Registered = { status: number; code?: string; run?: Run }

/** A job registers the plan run of a head. */
export const register = (model: Model, number: number, sha: string, job: Job): Registered => {
  const pull = pullOf(model, number)
  if (sha !== pull.sha) return { status: 409, code: 'superseded' }
  if (pull.state !== 'open') return { status: 409, code: 'conflict' }
  const own = model.runs.filter((run) => run.pull === number && run.trigger === 'pull_request' && run.sha === sha)
  const run = own.findLast((one) => isUnfinished(one) || isOfJob(one, job))
  if (run && isUnfinished(run) && !isOfJob(run, job)) {
    run.job = job
    // its upload starts the stacks over, even if it equals the one before
    delete run.upload
  }
  return run ? { status: 200, run } : { status: 201 }
}

const isUnfinished = ({ status }: Run): boolean => status === 'pending' || status === 'planning'
export const isOfJob = ({ job }: Run, other: Job): boolean =>
  job?.workflowRunId === other.workflowRunId && job.attempt === other.attempt

export const newPlan = (id: string, pull: Pull, trigger: Run['trigger'], job?: Job): Run => ({
  ...{ id, mode: 'plan', trigger, pull: pull.number, sha: pull.sha, status: 'pending', wave: 0 },
  ...{ superseding: false, holding: false, rows: {}, dispatches: [], unresolved: false },
  ...(job ? { job } : {}),
})
