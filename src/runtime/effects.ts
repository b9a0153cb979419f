import type { NewJob } from '#db/jobs.ts'
import type { Action } from '#machines/actions.ts'
import type { Actor } from './actor.ts'
import { runOf, type Stage } from './stage.ts'

/** Actions that are done outside the database, by a worker. */
export type EffectAction = Extract<
  Action,
  {
    type:
      | 'publishRun'
      | 'publishStack'
      | 'dispatchWave'
      | 'dispatchAll'
      | 'sendDispatch'
      | 'warnOrphaned'
      | 'commentUnlocked'
      | 'remindHolder'
  }
>

/** Writes to one installation go one after another: they share its budget at the code host. */
const installationLane = (installationId: number): string => `installation ${installationId}`

/** The wish that check runs and comment show the run as it is. */
export const publishRunJob = (runId: string, installationId: number, cause: string | null): NewJob => ({
  kind: 'publish_run',
  key: runId,
  lane: installationLane(installationId),
  payload: { run_id: runId },
  cause,
})

/**
 * An effect as a row of the queue. Its key says what is the same wish: a run is published once however many of its stacks
 * asked for it while the job waited.
 */
export const jobOf = (stage: Stage, actor: Actor, action: EffectAction, cause: string | null): NewJob => {
  const run = runOf(stage, actor)
  const installationId = actor.kind === 'lock' ? actor.row.installation_id : run?.row.installation_id
  const lane = installationId === undefined ? null : installationLane(installationId)
  const runId = run?.id ?? (actor.kind === 'lock' ? actor.row.run_id : null)
  switch (action.type) {
    case 'publishRun':
    case 'publishStack':
      return { kind: 'publish_run', key: runId, lane, payload: { run_id: runId }, cause }
    case 'dispatchWave': {
      const { wave } = action.params
      return { kind: 'dispatch_wave', key: `${runId} ${wave}`, lane, payload: { run_id: runId, wave }, cause }
    }
    case 'dispatchAll':
      return { kind: 'dispatch_wave', key: `${runId} all`, lane, payload: { run_id: runId }, cause }
    case 'sendDispatch':
      return { kind: 'send_dispatch', key: actor.id, lane, payload: { dispatch_id: actor.id }, cause }
    case 'warnOrphaned':
      return { kind: 'comment_lock', key: null, lane, payload: { stack_id: actor.id, about: 'orphaned' }, cause }
    case 'commentUnlocked':
      return {
        kind: 'comment_lock',
        key: null,
        lane,
        payload: { stack_id: actor.id, about: 'unlocked', ...action.params },
        cause,
      }
    case 'remindHolder':
      return { kind: 'comment_lock', key: null, lane, payload: { stack_id: actor.id, about: 'reminder' }, cause }
  }
}
