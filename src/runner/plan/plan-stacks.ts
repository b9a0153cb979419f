import { rmSync } from 'node:fs'
import type { StackResult } from '#domain/result.ts'
import { Problem } from '#errors.ts'
import { runConfiguredChecks } from '../check/configured-checks.ts'
import type { Posted } from '../check/post-verdict.ts'
import type { Context } from '../command.ts'
import { type ExitCode, exit, gravest } from '../exit.ts'
import { bindJob } from '../job/bind-job.ts'
import { hooksOf, readPolicy } from '../job/policy.ts'
import type { StackFlags } from '../job/selection.ts'
import { openSession, type Session } from '../job/session.ts'
import type { StackJob } from '../job/stack-job.ts'
import { createStop } from '../job/stop.ts'
import { safeName } from '../job/work-dir.ts'
import { stackMasks } from '../mask/stack-masks.ts'
import { setOutputs } from '../output/step-files.ts'
import { type Settled, settleStack, type Working } from '../report/settle-stack.ts'
import { isUnreachable } from '../service/attempts.ts'
import { reachService, tellNoToken } from '../service/reach-service.ts'
import { createTool } from '../tool/tool.ts'
import { planStack } from './plan-stack.ts'

export type PlanValues = StackFlags & { url?: string; audience?: string; tool?: string; hold?: boolean }

type Planning = Working & { mode: 'plan' | 'drift'; artifact: string }

/** An exit status of 2 alone does not mean changes: from `init` it is a failure. */
const isChanged = ({ status, has_changes: hasChanges }: StackResult): boolean =>
  status === 'success' && hasChanges === true

const planOne = async (planning: Planning, job: StackJob): Promise<Settled> => {
  const { context, work, stop, mode, artifact } = planning
  const { environment, output } = context
  rmSync(work.result(job.key), { force: true })
  const hooks = hooksOf(planning.policy, job, environment.all)
  const masks = stackMasks(job, environment, hooks.env)
  const tool = createTool(job, { ...environment.all, ...hooks.env }, stop, hooks)
  const before: Posted[] = []
  const planned = await planStack({ job, tool, work, masks, stop, output }, mode, async () => {
    if (mode === 'plan') before.push(...(await runConfiguredChecks(planning, job, { masks, on: 'before plan' })))
  })
  const result: StackResult = {
    ...planned,
    ...(environment.isActions && mode === 'plan' && isChanged(planned) ? { plan_artifact: artifact } : {}),
    ...(environment.isUnconfirmed ? { unconfirmed: true } : {}),
  }
  const ownCode = result.status !== 'success' ? exit.error : isChanged(result) ? exit.changes : exit.ok
  // A service that cannot be reached leaves the plan's own exit status; a refusal does not.
  return await settleStack(planning, job, { result, masks, ownCode, before })
}

const setPlanOutputs = async ({ context, work, jobs, mode, artifact }: Planning, planned: readonly Settled[]) => {
  const changed = planned.filter(({ result }) => isChanged(result))
  const [only] = changed
  const isSaved = mode === 'plan' && only !== undefined
  await setOutputs(context.environment, {
    artifact: isSaved ? artifact : '',
    plan_file: !isSaved ? '' : jobs.length > 1 ? work.plans : work.plan(only.key),
    has_changes: String(only !== undefined),
  })
}

/** A plan changes nothing, so it goes on when the service cannot be reached; not after a refusal. */
const bindIfReached = async (session: Session, mode: 'plan' | 'drift', context: Context): Promise<void> => {
  const { service, runId } = session
  if (service === undefined || runId === undefined) return
  try {
    await bindJob({ ...session, service, runId }, mode, context)
  } catch (error) {
    if (!isUnreachable(error)) throw error
    context.output.warn(`${error.message}. Going on without the service`)
  }
}

/** Plans the job's stacks one after another, or checks them for drift, and reports. A dispatched job is bound first. */
export const planStacks = async (
  values: PlanValues,
  context: Context,
  { mode, isDispatched }: { mode: 'plan' | 'drift'; isDispatched: boolean },
): Promise<ExitCode> => {
  const { environment, output } = context
  const reached = reachService(values, environment, output)
  if (reached.kind === 'no-token') {
    if (isDispatched) throw new Problem('unauthorized', 'a dispatched job needs `permissions: id-token: write`')
    tellNoToken(output, undefined)
    output.answer({ stacks: [] })
    return exit.ok
  }
  const service = reached.kind === 'service' ? reached.service : undefined
  const session = await openSession(values, service, context)
  if (isDispatched) await bindIfReached(session, mode, context)
  const artifact = `svc-plan-${safeName(session.jobs.map(({ key }) => key).join(' '))}`
  const stop = createStop()
  const policy = await readPolicy(session, output, { isNeeded: false })
  const planning: Planning = { ...session, policy, context, stop, isHeld: values.hold === true, mode, artifact }
  const planned: Settled[] = []
  try {
    for (const job of session.jobs) planned.push(await planOne(planning, job))
  } finally {
    stop.release()
  }
  await setPlanOutputs(planning, planned)
  output.answer({ stacks: planned.map(({ key, result }) => ({ key, ...result })) })
  return gravest(planned.map(({ code }) => code))
}
