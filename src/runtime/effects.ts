import { installationLane, type NewJob } from '#db/jobs.ts'
import type { Action } from '#machines/actions.ts'
import type { Actor, RunActor } from './actor.ts'

/** Actions that are done outside the database, by a worker; those about locks are in lock-news.ts. */
export type EffectAction = Extract<
  Action,
  {
    type: 'publishRun' | 'publishStack' | 'dispatchWave' | 'dispatchAll' | 'sendDispatch'
  }
>

/** The wish that check runs and comment show the run as it is. */
export const publishRunJob = (runId: string, installationId: number, cause: string | null): NewJob => ({
  kind: 'publish_run',
  key: runId,
  lane: installationLane(installationId),
  payload: { run_id: runId },
  cause,
})

/**
 * The wish that a dispatch is sent. `again`: it may have been sent before without anybody remembering, so that its workflow
 * run is looked for first.
 */
export const sendDispatchJob = (
  dispatch: { id: string; again?: boolean },
  installationId: number,
  cause: string | null,
): NewJob => ({
  kind: 'send_dispatch',
  key: dispatch.id,
  lane: installationLane(installationId),
  payload: { dispatch_id: dispatch.id, ...(dispatch.again ? { again: true } : {}) },
  cause,
})

/** The wish that a wave of an apply is sent out; without a wave, all of a plan run. */
export const dispatchWaveJob = (
  of: { runId: string; wave?: number | undefined },
  installationId: number,
  cause: string | null,
): NewJob => ({
  kind: 'dispatch_wave',
  key: `${of.runId} ${of.wave ?? 'all'}`,
  lane: installationLane(installationId),
  payload: { run_id: of.runId, ...(of.wave === undefined ? {} : { wave: of.wave }) },
  cause,
})

/**
 * An effect of a run's machine as a row of the queue. Its key says what is the same wish: a run is published once however many of its stacks
 * asked for it while the job waited.
 */
export const jobOf = (run: RunActor, actor: Actor, action: EffectAction, cause: string | null): NewJob => {
  const { installation_id: installationId } = run.row
  switch (action.type) {
    case 'publishRun':
    case 'publishStack':
      return publishRunJob(run.id, installationId, cause)
    case 'dispatchWave':
      return dispatchWaveJob({ runId: run.id, wave: action.params.wave }, installationId, cause)
    case 'dispatchAll':
      return dispatchWaveJob({ runId: run.id }, installationId, cause)
    case 'sendDispatch':
      return sendDispatchJob({ id: actor.id }, installationId, cause)
  }
}
