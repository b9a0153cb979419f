import type { HostWorkflowRun } from './host/records.ts'
import type { Dispatch, Run } from './model/model.ts'
import type { Said } from './model/plans.ts'
import type { Walk } from './walk.ts'

/*
 * Transitions that refuse an event, or change nothing, leave no row of the journal. Their callers hear them; these are their names
 * among all transitions (coverage/transitions.ts).
 */

const ranOnce = new Set(['planned', 'applied', 'noop', 'failed', 'unconfirmed'])
const neverRan = new Set(['blocked', 'skipped', 'superseded'])

/** The answer to a result of a stack that was at its end, by the state that it was in. */
export const hearResult = (walk: Walk, run: Run, key: string, { status }: Said): void => {
  const state = run.rows[key]?.status ?? ''
  // a superseded run refuses before its stack is asked
  if (run.status === 'superseded') return
  if (ranOnce.has(state)) walk.heard.add(`stack ${state}: result.reported #${status === 200 ? 1 : 2}`)
  if (neverRan.has(state)) walk.heard.add(`stack ${state}: result.reported #1`)
}

/** A job that may not have its dispatch, since another attempt has it. One of another workflow run is refused before it is asked. */
export const hearBinding = (walk: Walk, dispatch: Dispatch, workflowRunId: number): void => {
  if (dispatch.workflowRunId === workflowRunId) walk.heard.add(`dispatch ${dispatch.state}: workflow.bound #2`)
}

/** News of a workflow run: the dispatch of its name refuses another's, and is bound once more to the one that it is bound to. */
export const hearNews = (walk: Walk, dispatch: Dispatch, { id, attempt, status }: HostWorkflowRun): void => {
  const { state, workflowRunId, attempt: current = 0 } = dispatch
  if (workflowRunId === undefined) return
  if (workflowRunId !== id) walk.heard.add(`dispatch ${state}: workflow.bound #1`)
  else if (state === 'bound' && attempt < current) walk.heard.add('dispatch bound: workflow.bound #2')
  else if (state === 'bound' && attempt === current && status === 'completed')
    walk.heard.add('dispatch bound: workflow.bound #3')
}

export const hearLocked = (walk: Walk): void => {
  walk.heard.add('lock held: lock.requested #2')
}
