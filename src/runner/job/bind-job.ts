import type { Run } from '#api/run.ts'
import { Problem } from '#errors.ts'
import type { Context } from '../command.ts'
import type { Service } from '../service/service.ts'
import type { Session } from './session.ts'
import { workflowRunOf } from './workflow-run.ts'

/** What the job is about to do must be what the run is for: the service knows, and inputs are text from elsewhere. */
const checkRun = (run: Run, mode: Run['mode'], { checkout, jobs }: Session): void => {
  const keys = jobs.map(({ key }) => key).join(', ')
  if (run.mode !== mode)
    throw new Problem('invalid', `run ${run.id} is of mode ${run.mode}, and ${mode} of ${keys} was asked for`)
  if (run.sha !== checkout.head)
    throw new Problem(
      'invalid',
      `${checkout.head ?? 'no commit that git knows'} is checked out, and run ${run.id} is of ${run.sha}: give actions/checkout the input sha as ref`,
    )
}

/**
 * Binds a dispatched job to its dispatch, which is the service's word that it may begin (spec, 'POST /v1/runs'). Throws a
 * Problem: the service's refusal, `unavailable` where it cannot be reached, `invalid` where the job is not what the run is for.
 */
export const bindJob = async (
  session: Session & { service: Service; runId: string },
  mode: Run['mode'],
  { environment }: Context,
): Promise<void> => {
  const opened = await session.service.openRun({
    run_id: session.runId,
    ...workflowRunOf(environment),
    stacks: session.jobs.map(({ key }) => key),
  })
  checkRun(opened.run, mode, session)
}
