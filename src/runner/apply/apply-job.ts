import { rmSync } from 'node:fs'
import type { StackResult } from '#domain/result.ts'
import { Problem } from '#errors.ts'
import type { Context } from '../command.ts'
import { type ExitCode, exit, exitOf } from '../exit.ts'
import { bindJob } from '../job/bind-job.ts'
import { hooksOf, readPolicy } from '../job/policy.ts'
import type { StackFlags } from '../job/selection.ts'
import { openSession } from '../job/session.ts'
import type { StackJob } from '../job/stack-job.ts'
import { createStop } from '../job/stop.ts'
import { stackMasks } from '../mask/stack-masks.ts'
import { setOutputs } from '../output/step-files.ts'
import { keepResult, type Settled, settleStack, type Working } from '../report/settle-stack.ts'
import { reachService } from '../service/reach-service.ts'
import type { Service } from '../service/service.ts'
import { createTool } from '../tool/tool.ts'
import { applyStack } from './apply-stack.ts'

export type ApplyValues = StackFlags & { url?: string; audience?: string; tool?: string; hold?: boolean }

/** The result kept before the tool may change anything: svc report sends it if this process dies before it has another. */
const cutOff = ({ program }: StackJob): StackResult => ({
  mode: 'apply',
  status: 'error',
  error_text: `svc was killed during ${program} apply: its changes may be half done, and the state may still be locked`,
})

const serviceOf = (values: ApplyValues, { environment, output }: Context): Service => {
  const reached = reachService(values, environment, output)
  if (reached.kind === 'service') return reached.service
  const why =
    reached.kind === 'no-token'
      ? 'the job has no OIDC token: it needs `permissions: id-token: write`'
      : 'svc apply is for a job that the service dispatched'
  throw new Problem('refused', `nothing is applied: ${why}`)
}

/** Whatever kept the service from saying yes, the tool is not started, and the exit status is `refused`. */
const failClosed = (error: unknown): unknown => {
  if (!(error instanceof Problem)) return error
  const { code, message, status, details } = error
  return new Problem(exitOf(error) === exit.refused ? code : 'refused', `nothing is applied: ${message}`, {
    status,
    cause: error,
    ...(details === undefined ? {} : { details }),
  })
}

const applyOne = async (working: Working, job: StackJob): Promise<Settled> => {
  const { context, work, stop } = working
  const { environment, output } = context
  rmSync(work.result(job.key), { force: true })
  const hooks = hooksOf(working.policy, job, environment.all)
  const masks = stackMasks(job, environment, hooks.env)
  const tool = createTool(job, { ...environment.all, ...hooks.env }, stop, hooks)
  const onStart = async (): Promise<void> => {
    await keepResult(working, job.key, cutOff(job))
  }
  const result = await applyStack({ job, tool, work, masks, stop, output, onStart })
  const ownCode = result.status === 'success' ? exit.ok : exit.error
  return await settleStack(working, job, { result, masks, ownCode })
}

/**
 * Applies the job's stack once the service has allowed this job to. It fails closed: without the service's permission the tool is
 * not started, and a Problem with exit status 3 is thrown (docs/client.md, 'Exit status').
 */
export const applyJob = async (values: ApplyValues, context: Context): Promise<ExitCode> => {
  const service = serviceOf(values, context)
  const session = await openSession(values, service, context)
  const { runId, jobs } = session
  const [job] = jobs
  if (runId === undefined) throw new Problem('invalid', 'SVC_RUN_ID: is not set: an apply belongs to a run')
  if (job === undefined || jobs.length > 1)
    throw new Problem(
      'invalid',
      `an apply takes one stack, and these are named: ${jobs.map(({ key }) => key).join(', ')}`,
    )
  // Before the service is asked: from here on a signal ends nothing that may be under way.
  const stop = createStop()
  try {
    await bindJob({ ...session, service, runId }, 'apply', context).catch((error: unknown) => {
      throw failClosed(error)
    })
    const policy = await readPolicy(session, context.output, { isNeeded: true }).catch((error: unknown) => {
      throw failClosed(error)
    })
    const { key, result, code } = await applyOne(
      { ...session, policy, context, stop, isHeld: values.hold === true },
      job,
    )
    await setOutputs(context.environment, { has_changes: String(result.has_changes === true) })
    context.output.answer({ stacks: [{ key, ...result }] })
    return code
  } finally {
    stop.release()
  }
}
