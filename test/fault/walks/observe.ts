import { isDeepStrictEqual } from 'node:util'
import { fullNameOf } from './host/records.ts'
import type { Dispatch, Model, Run } from './model/model.ts'
import { startedFor } from './steps/apply-steps.ts'
import { askAsKey, type Walk } from './walk.ts'

/** Which runs are looked at: those that the step has changed in the model, or all of them. */
export type Extent = { before: Model } | 'all'

/** Waits until nothing is under way, and compares what the service shows with the model. */
export const observe = async (walk: Walk, extent: Extent): Promise<void> => {
  await walk.place.quiet.settled(walk.repository.installationId)
  adopt(walk)
  const runs = walk.model.runs.filter(
    (run, index) => extent === 'all' || !isDeepStrictEqual(run, extent.before.runs[index]),
  )
  const areLocksTouched = extent === 'all' || !isDeepStrictEqual(extent.before.locks, walk.model.locks)
  await Promise.all([...runs.map((run) => compareRun(walk, run)), ...(areLocksTouched ? [compareLocks(walk)] : [])])
}

/** The service knows by the code host's answer which workflow run it has started: the last, if an earlier answer was lost. */
const adopt = (walk: Walk): void => {
  for (const run of walk.model.runs)
    for (const dispatch of run.dispatches) {
      const id = startedFor(walk, run, dispatch).at(-1)?.id
      if (dispatch.state === 'awaiting' && id !== undefined) dispatch.workflowRunId ??= id
    }
}

const say = (walk: Walk, what: string, shown: unknown, wanted: unknown): void => {
  if (isDeepStrictEqual(shown, wanted)) return
  walk.broken.push(`${what}: shown ${JSON.stringify(shown)}, where the model says ${JSON.stringify(wanted)}`)
}

const compareRun = async (walk: Walk, run: Run): Promise<void> => {
  const name = `${run.mode} run ${walk.model.runs.indexOf(run)}`
  const { body } = await askAsKey(walk, `/v1/runs/${run.id}?text=none`)
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the service
  const stacks: any[] = body.stacks ?? []
  say(walk, `${name}`, `${body.mode} ${body.status}`, `${run.mode} ${run.status}`)
  const shown = stacks.map(({ key, status, wave, blocked_by: by }) => [key, { status, wave, by: by ?? [] }])
  const wanted = Object.entries(run.rows).map(([key, { status, wave, blockedBy: by }]) => [key, { status, wave, by }])
  say(walk, `stacks of ${name}`, Object.fromEntries(shown), Object.fromEntries(wanted))
  if (run.dispatches.length > 0) await compareDispatches(walk, run, name)
}

const compareDispatches = async (walk: Walk, run: Run, name: string): Promise<void> => {
  const { body } = await askAsKey(walk, `/v1/runs/${run.id}/dispatches`)
  const items: Shown[] = body.items
  if (walk.place.instances.kills() > walk.killsBefore)
    run.dispatches.forEach((dispatch, index) => {
      concede(dispatch, items[index])
    })
  const shown = items.map((one) => `${one.wave} ${one.state} ${one.workflow_run?.id ?? ''}`)
  const wanted = run.dispatches.map(({ wave, state, workflowRunId }) => `${wave} ${state} ${workflowRunId ?? ''}`)
  const started = run.dispatches.flatMap((dispatch) => startedFor(walk, run, dispatch).map(({ id }) => id))
  say(walk, `dispatches of ${name} (started: ${started.join(', ')})`, shown, wanted)
}

type Shown = { wave: number; state: Dispatch['state']; workflow_run?: { id: number; attempt?: number } }

/**
 * An instance that is killed before it notes the code host's answer leaves the dispatch to the next, which finds its workflow
 * run, or sends it where the code host had refused: what the answer was is lost with the instance.
 */
const concede = (dispatch: Dispatch, shown: Shown | undefined): void => {
  const id = shown?.workflow_run?.id
  const isFound = dispatch.state === 'awaiting' && shown?.state === 'bound' && id === dispatch.workflowRunId
  const isSent = dispatch.state === 'refused' && (shown?.state === 'awaiting' || shown?.state === 'bound')
  if ((!isFound && !isSent) || id === undefined) return
  Object.assign(dispatch, { state: shown?.state, workflowRunId: id })
  if (shown?.state === 'bound') dispatch.attempt = shown.workflow_run?.attempt ?? 1
}

const compareLocks = async (walk: Walk): Promise<void> => {
  const { body } = await askAsKey(walk, `/v1/locks?repo=${fullNameOf(walk.repository)}`)
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the service
  const shown = body.items.map(({ stack_key, state, run_id, pr_number, fence }: any) => [
    stack_key,
    `${state} by ${run_id} of ${pr_number ?? 'nobody'}, ${fence}`,
  ])
  const wanted = Object.entries(walk.model.locks).flatMap(([key, { state, run, pull, fence }]) =>
    state === 'free' ? [] : [[key, `${state} by ${run} of ${pull ?? 'nobody'}, ${fence}`] as const],
  )
  say(walk, 'held locks', Object.fromEntries(shown), Object.fromEntries(wanted))
}
