import { isOpen, type Job, type Model, type Run, rowOf, wavesOf } from './model.ts'
import { isOfJob } from './pulls.ts'
import { settle } from './runs.ts'

/* What a job uploads and reports (docs/interface.md, 'Operations'). */

export type Said = { status: number; code?: string }

/** An upload by its name: the same name is the same upload. No keys: it affects nothing; a cycle fails the run. */
export type Upload = { name: string; keys: readonly string[]; isCycle: boolean }

export const upload = (model: Model, run: Run, job: Job, sent: Upload): Said => {
  if (run.status === 'superseded') return { status: 409, code: 'superseded' }
  if (!isOfJob(run, job)) return { status: 403, code: 'forbidden' }
  const isUnfinished = run.status === 'pending' || run.status === 'planning'
  if (run.upload?.name === sent.name && (isUnfinished || run.upload.ended)) return { status: 200 }
  if (!isUnfinished) return { status: 409, code: 'conflict' }
  if (sent.isCycle) {
    for (const row of Object.values(run.rows)) if (isOpen(row)) row.status = 'superseded'
    run.status = 'failed'
    run.unresolved = true
  } else {
    place(model, run, sent.keys)
    run.status = sent.keys.length === 0 ? 'planned' : 'planning'
  }
  run.upload = { name: sent.name, ended: run.status !== 'planning' }
  return { status: 200 }
}

const place = (model: Model, run: Run, keys: readonly string[]): void => {
  const waves = wavesOf(model.graph, keys)
  run.rows = Object.fromEntries(
    keys.map((key) => [key, { wave: waves[key] ?? 0, status: 'planning', at: 0, blockedBy: [] }]),
  )
}

/** The service plans stacks again, in a workflow that it dispatches. */
export const replan = (model: Model, run: Run, keys: readonly string[]): void => {
  model.runs.push(run)
  place(model, run, keys)
  run.status = 'planning'
  model.due.push(run.id)
}

export type Outcome = 'changes' | 'none' | 'failed' | 'unconfirmed'

const statusAfter = (run: Run, outcome: Outcome): string => {
  if (outcome === 'none') return 'noop'
  if (outcome !== 'changes') return outcome
  return run.mode === 'plan' ? 'planned' : 'applied'
}

/** Who reports: a job of the pull request, a job that the service dispatched, or the caller of a manual run. */
export type Reporter = 'pull_request' | 'dispatched' | 'key'

/** A result of a stack. */
export const report = (model: Model, run: Run, key: string, outcome: Outcome, by: Reporter): Said => {
  const row = rowOf(run, key)
  const isOver = run.status !== 'pending' && run.status !== 'planning' && run.status !== 'applying'
  const isFinal = by === 'pull_request' && isOver
  if (run.status === 'superseded' && (isFinal || row.status !== 'unknown')) return { status: 409, code: 'superseded' }
  if (isFinal && row.status === 'unknown') return { status: 409, code: 'conflict' }
  if (isOpen(row) || row.status === 'unknown') {
    settle(model, run, key, statusAfter(run, outcome), { byResult: true, result: outcome })
    return { status: 200 }
  }
  if (row.status === 'superseded') return { status: 409, code: 'superseded' }
  return row.result === outcome ? { status: 200 } : { status: 409, code: 'conflict' }
}

/** The workflow run of a pull request has ended: what it has not reported nobody will. */
export const endWorkflow = (model: Model, job: Job): void => {
  for (const run of model.runs) {
    if (run.trigger !== 'pull_request' || run.job?.workflowRunId !== job.workflowRunId) continue
    if (run.job.attempt > job.attempt) continue
    if (run.status === 'pending') {
      run.status = 'failed'
      run.unresolved = true
    } else if (run.status === 'planning') {
      for (const [key, row] of Object.entries(run.rows))
        if (isOpen(row)) settle(model, run, key, 'unknown', { byResult: false })
    }
  }
}
