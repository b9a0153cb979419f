import { type Job, makeJob } from '#jobs/job.ts'
import type { ActionOf } from '#machines/actions.ts'
import type { Actor, RunActor } from '../actor.ts'

/** The jobs for a run: it is published once, however many of its stacks asked for it while the job waited. */
export const runJobs = (run: RunActor, actor: Actor, action: ActionOf<'job'>, cause: string | null): Job[] => {
  const more = { installationId: run.row.installation_id, cause }
  switch (action.type) {
    case 'publishRun':
    case 'publishStack':
      // a drift check belongs to no pull request: nothing of it is shown at the code host
      return run.row.mode === 'drift' ? [] : [makeJob('publish_run', { run_id: run.id }, more)]
    case 'dispatchWave':
      return [makeJob('dispatch_wave', { run_id: run.id, wave: action.params.wave }, more)]
    case 'dispatchAll':
      return [makeJob('dispatch_wave', { run_id: run.id }, more)]
    case 'sendDispatch':
      return [makeJob('send_dispatch', { dispatch_id: actor.id }, more)]
  }
}
