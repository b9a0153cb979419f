import { type Job, makeJob } from '#jobs/job.ts'
import type { ActionOf } from '#machines/actions.ts'
import type { Actor, RunActor } from '../actor.ts'

type More = { installationId: number; cause: string | null; paced?: boolean }

/** A drift check belongs to no pull request: nothing of it is shown at the code host. */
const published = (run: RunActor, more: More): Job[] =>
  run.row.mode === 'drift' ? [] : [makeJob('publish_run', { run_id: run.id }, more)]

/**
 * The jobs for a run. What becomes of a stack is published in the run's own time, once a second, however many of its stacks ask
 * for it; what becomes of the run itself, at once.
 */
export const runJobs = (run: RunActor, actor: Actor, action: ActionOf<'job'>, cause: string | null): Job[] => {
  const more = { installationId: run.row.installation_id, cause }
  switch (action.type) {
    case 'publishRun':
      return published(run, more)
    case 'publishStack':
      return published(run, { ...more, paced: true })
    case 'dispatchWave':
      return [makeJob('dispatch_wave', { run_id: run.id, wave: action.params.wave }, more)]
    case 'dispatchAll':
      return [makeJob('dispatch_wave', { run_id: run.id }, more)]
    case 'askWindow':
      return [makeJob('ask_window', { run_id: run.id }, more)]
    case 'sendDispatch':
      return [makeJob('send_dispatch', { dispatch_id: actor.id }, more)]
  }
}
