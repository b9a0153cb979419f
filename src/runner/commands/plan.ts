import { rmSync } from 'node:fs'
import type { StackResult } from '#api/stack-result.ts'
import { runCheck } from '../check/run-check.ts'
import { boundVerdict, verdictOf } from '../check/verdict.ts'
import { type Context, defineCommand } from '../command.ts'
import { changesOk, type ExitCode, exit, forgiving, gravest } from '../exit.ts'
import { jobUrl } from '../job/job-url.ts'
import { type StackFlags, stackFlags } from '../job/selection.ts'
import { openSession, type PlanSession, postVerdict } from '../job/session.ts'
import type { StackJob } from '../job/stack-job.ts'
import { createStop, type Stop } from '../job/stop.ts'
import { safeName } from '../job/work-dir.ts'
import { createMasks, environmentSecrets } from '../mask/masks.ts'
import { addSummary, setOutputs } from '../output/step-files.ts'
import { planStack } from '../plan/plan-stack.ts'
import { holdResult } from '../report/held-result.ts'
import { reportHeld } from '../report/report-held.ts'
import { printResult, resultSummary } from '../report/show-result.ts'
import { reachService, serviceFlags, tellNoToken } from '../service/reach-service.ts'
import { createTool } from '../tool/tool.ts'

type Planned = { key: string; result: StackResult; code: ExitCode }

type Planning = PlanSession & { context: Context; stop: Stop; isHeld: boolean; artifact: string }

/** Runs the checks that svc.yml names and posts their verdicts, which come before the result. */
const runConfiguredChecks = async (planning: Planning, job: StackJob, masks: ReturnType<typeof createMasks>) => {
  const { config, context, checkout, work, stop } = planning
  const { environment, output } = context
  const codes: ExitCode[] = []
  for (const { name, run, mode } of config.checks.filter(({ on }) => on === 'plan')) {
    const input = {
      name,
      program: ['sh', '-c', run],
      job,
      work,
      root: checkout.root,
      all: environment.all,
      stop,
      output,
    }
    const ended = await runCheck(input)
    const verdict = boundVerdict(verdictOf(ended, { mode, masks, isKeptBack: job.planOutput === 'summary' }), output)
    const said = `check ${name} of ${job.key}: ${verdict.status}${verdict.summary === undefined ? '' : `, ${verdict.summary}`}`
    if (verdict.status === 'pass') output.print(`${said}\n`)
    else if (verdict.status === 'warn') output.warn(said)
    else output.fail(said)
    codes.push(await postVerdict(planning, job.key, { name, ...verdict }, context))
  }
  return codes
}

/** An exit status of 2 alone says nothing: of `init` it is a failure. */
const isChanged = ({ status, has_changes: hasChanges }: StackResult): boolean =>
  status === 'success' && hasChanges === true

const planOne = async (planning: Planning, job: StackJob): Promise<Planned> => {
  const { context, work, stop, runId, service, isHeld, artifact } = planning
  const { environment, output } = context
  const masks = createMasks()
  masks.add(environmentSecrets(environment))
  rmSync(work.result(job.key), { force: true })
  const tool = createTool(job, environment.all, stop)
  const planned = await planStack({ job, tool, work, masks, stop, output })
  const url = jobUrl(environment)
  const result: StackResult = {
    ...planned,
    ...(url === undefined ? {} : { job_url: url }),
    ...(environment.isActions && isChanged(planned) ? { plan_artifact: artifact } : {}),
    ...(environment.isUnconfirmed ? { unconfirmed: true } : {}),
  }
  printResult(output, job.key, result)
  await addSummary(environment, resultSummary(job.key, result))
  const held = { key: job.key, ...(runId === undefined ? {} : { run_id: runId }), reported: false, result }
  await holdResult(work, held)
  const verdicts = result.status === 'success' ? await runConfiguredChecks(planning, job, masks) : []
  const reported = isHeld ? { code: exit.ok } : await reportHeld(held, { service, work, output })
  // A service that cannot be reached leaves the plan's own status; what it refuses does not.
  const refused = [...verdicts, reported.code].includes(exit.refused) ? exit.refused : exit.ok
  const own = result.status !== 'success' ? exit.error : isChanged(result) ? exit.changes : exit.ok
  return { key: job.key, result, code: gravest([own, refused]) }
}

const setPlanOutputs = async ({ context, work, jobs, artifact }: Planning, planned: readonly Planned[]) => {
  const changed = planned.filter(({ result }) => isChanged(result))
  const [only] = changed
  const file = jobs.length > 1 ? work.plans : only === undefined ? '' : work.plan(only.key)
  await setOutputs(context.environment, {
    artifact: only === undefined ? '' : artifact,
    plan_file: only === undefined ? '' : file,
    has_changes: String(only !== undefined),
  })
}

const perform = async (
  values: StackFlags & { url?: string; audience?: string; tool?: string; hold?: boolean },
  context: Context,
): Promise<ExitCode> => {
  const { environment, output } = context
  const reached = reachService(values, environment, output)
  if (reached.kind === 'no-token') {
    tellNoToken(output, undefined)
    return exit.ok
  }
  const service = reached.kind === 'service' ? reached.service : undefined
  const session = await openSession(values, service, context)
  const artifact = `svc-plan-${safeName(session.jobs.map(({ key }) => key).join(' '))}`
  const stop = createStop()
  const planning: Planning = { ...session, context, stop, isHeld: values.hold === true, artifact }
  const planned: Planned[] = []
  try {
    for (const job of session.jobs) planned.push(await planOne(planning, job))
  } finally {
    stop.release()
  }
  await setPlanOutputs(planning, planned)
  output.answer({ stacks: planned.map(({ key, result }) => ({ key, ...result })) })
  return gravest(planned.map(({ code }) => code))
}

export const plan = defineCommand({
  name: 'plan',
  says: "Plan the job's stacks, run the checks that svc.yml names, and report.",
  usage: '[--hold] [flags]',
  text: `Runs init, workspace select, plan and show of terraform or tofu in each stack's directory. Sensitive values are masked in
all that is sent, and of a stack with plan_output summary no text is. Sets the step's outputs artifact (a name for the saved
plan; empty without changes), plan_file and has_changes. With --hold the result waits for svc report, after verdicts of the
job's own steps. In a person's shell nothing is reported. Exits 0 without changes, 2 with some.`,
  flags: {
    ...stackFlags,
    ...serviceFlags,
    tool: { says: 'program to plan with, a name or a path (SVC_TOOL)', value: 'PROGRAM' },
    hold: { says: 'keep the result for svc report' },
    'changes-ok': changesOk,
  },
  operands: 0,
  run: async ({ values }, context) => forgiving(await perform(values, context), values['changes-ok']),
})
