import { type Dispatch, isOpen, lockOf, type Model, type Run, runOf } from './model.ts'
import { learn } from './pulls.ts'
import { settle } from './runs.ts'

/* How a wave goes out: its dispatch, the workflow run that takes it, and what becomes of its stacks (docs/interface.md, 'Events'). */

const openKeys = (run: Run, keys: readonly string[]): string[] =>
  keys.filter((key) => {
    const row = run.rows[key]
    return row !== undefined && isOpen(row)
  })

/** Sends out what is to be sent out. */
export const sendDue = (model: Model): void => {
  for (let id = model.due.shift(); id !== undefined; id = model.due.shift()) dispatchWave(model, runOf(model, id))
}

/**
 * One wave of an apply, or a whole plan. Before a later wave the pull request is read again: after a newer commit nothing of it goes
 * out. Stacks whose locks the run no longer holds are left out.
 */
const dispatchWave = (model: Model, run: Run): void => {
  if (run.mode === 'apply' && run.wave > 0 && run.pull !== undefined) learn(model, run.pull)
  const all = openKeys(run, Object.keys(run.rows)).filter((key) => run.mode === 'plan' || isOfWave(run, key))
  const isLeftOut = (key: string): boolean => run.superseding || lockOf(model, key).run !== run.id
  const released = run.mode === 'apply' ? all.filter(isLeftOut) : []
  const keys = all.filter((key) => !released.includes(key))
  if (keys.length > 0) {
    const dispatch: Dispatch = { wave: run.mode === 'plan' ? 0 : run.wave, state: 'requested', refusals: 0, keys }
    run.dispatches.push(dispatch)
    sendDispatch(model, dispatch)
  }
  for (const key of released) settle(model, run, key, 'skipped', { byResult: false })
}

const isOfWave = (run: Run, key: string): boolean => run.rows[key]?.wave === run.wave

/** The code host starts the workflow, or says no, or its answer is lost. */
const sendDispatch = (model: Model, dispatch: Dispatch): void => {
  const { fault } = model
  delete model.fault
  if (fault === undefined) dispatch.state = 'awaiting'
  else {
    dispatch.state = 'refused'
    dispatch.refusals += 1
  }
}

/** No report will come of these any more. */
export const lose = (model: Model, run: Run, keys: readonly string[]): void => {
  for (const key of keys)
    if (openKeys(run, [key]).length > 0 && run.rows[key]?.status !== 'pending')
      settle(model, run, key, 'unknown', { byResult: false })
}

/** A workflow run as the code host shows it. */
export type Started = { id: number; attempt: number; isCompleted: boolean }

/** A minute later it is tried again: the code host is asked first whether it was started after all. */
export const resend = (model: Model, run: Run, dispatch: Dispatch, started: Started | undefined): void => {
  if (started !== undefined) {
    bind(dispatch, started.id, started.attempt)
    if (started.isCompleted) complete(model, run, dispatch, started.attempt)
  } else if (run.superseding || run.status !== (run.mode === 'plan' ? 'planning' : 'applying')) {
    for (const key of openKeys(run, dispatch.keys)) settle(model, run, key, 'skipped', { byResult: false })
    dispatch.state = 'lost'
  } else sendDispatch(model, dispatch)
}

/** Nobody accepted it, or picked it up, in time. */
export const giveUp = (model: Model, run: Run, dispatch: Dispatch): void => {
  dispatch.state = 'lost'
  lose(model, run, dispatch.keys)
}

/** A workflow run shows that it has the dispatch; false if that is another's. */
export const bind = (dispatch: Dispatch, workflowRunId: number, attempt: number): boolean => {
  if (dispatch.workflowRunId !== undefined && dispatch.workflowRunId !== workflowRunId) return false
  if (dispatch.state === 'completed') return dispatch.attempt === attempt
  if (dispatch.state === 'bound' && attempt < (dispatch.attempt ?? 0)) return false
  Object.assign(dispatch, { state: 'bound', workflowRunId, attempt })
  return true
}

/** The workflow run has ended, whether all of its jobs reported or not. */
export const complete = (model: Model, run: Run, dispatch: Dispatch, attempt: number): void => {
  if (dispatch.state === 'completed' || attempt < (dispatch.attempt ?? 0)) return
  dispatch.state = 'completed'
  dispatch.attempt = attempt
  lose(model, run, dispatch.keys)
}
