import type { Run } from '#api/runs/run.ts'
import { Problem } from '#errors.ts'
import type { Context } from '../command.ts'
import { exit, exitOf } from '../exit.ts'
import type { Service } from '../service/service.ts'
import { holdResult } from './held-result.ts'
import type { Session } from './session.ts'
import { workflowRunOf } from './workflow-run.ts'

/** What the job is about to do must match the run, which the service knows: inputs are text from elsewhere. */
const checkRun = (run: Run, mode: Run['mode'], { checkout, jobs }: Session): void => {
  const keys = jobs.map(({ key }) => key).join(', ')
  if (run.mode !== mode)
    throw new Problem('invalid', `run ${run.id} has mode ${run.mode}, but ${mode} of ${keys} was asked for`)
  if (run.sha !== checkout.head)
    throw new Problem(
      'invalid',
      `${checkout.head ?? 'no commit that git knows'} is checked out, but run ${run.id} is for ${run.sha}: give actions/checkout the input sha as ref`,
    )
}

/**
 * Silences svc report, which runs whatever came before it. A job that runs again after its runner was lost would otherwise report
 * that nothing was begun, of a stack that was left in the middle of its apply.
 */
const keepRefusal = async ({ work, jobs, runId }: Session, mode: Run['mode']): Promise<void> => {
  const result = { mode, status: 'error', error_text: 'the service refused the job' } as const
  const held = { ...(runId === undefined ? {} : { run_id: runId }), reported: false, refused: true, result }
  for (const { key } of jobs) await holdResult(work, { key, ...held })
}

/**
 * Binds a dispatched job to its dispatch, which is the service's permission to begin (docs/interface.md, 'POST /v1/runs').
 * Throws a Problem: the service's refusal, `unavailable` if it cannot be reached, `invalid` if the job does not match the run.
 */
export const bindJob = async (
  session: Session & { service: Service; runId: string },
  mode: Run['mode'],
  { environment }: Context,
): Promise<void> => {
  const { service, runId, jobs } = session
  const request = { run_id: runId, ...workflowRunOf(environment), stacks: jobs.map(({ key }) => key) }
  const opened = await service.openRun(request).catch(async (error: unknown) => {
    if (exitOf(error) === exit.refused) await keepRefusal(session, mode)
    throw error
  })
  checkRun(opened.run, mode, session)
}
