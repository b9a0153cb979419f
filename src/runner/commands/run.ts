import { applyJob } from '../apply/apply-job.ts'
import { defineCommand } from '../command.ts'
import { changesOk, forgiving } from '../exit.ts'
import { readDispatch } from '../job/dispatch.ts'
import { stackFlags } from '../job/selection.ts'
import { planStacks } from '../plan/plan-stacks.ts'
import { serviceFlags } from '../service/reach-service.ts'

const { 'work-dir': workDir } = stackFlags

export const run = defineCommand({
  name: 'run',
  usage: '[--hold-plan] [flags]',
  text: `For the workflow svc-run.yml. Reads SVC_MODE, SVC_RUN_ID, SVC_WAVE, SVC_SHA and SVC_MATRIX, which are the workflow's inputs
and toJSON(matrix), and then does as svc plan, svc apply or svc drift: 'svc help apply' says more. The service is asked first, and
an apply does nothing without its permission. With --hold-plan the result of a plan waits for svc report, after verdicts of the
job's own steps; the result of an apply or a check for drift is reported at once.`,
  flags: {
    ...serviceFlags,
    'work-dir': workDir,
    tool: { says: 'program to run as the tool, a name or a path (SVC_TOOL)', value: 'PROGRAM' },
    'hold-plan': { says: "keep a plan's result for svc report" },
    'changes-ok': changesOk,
  },
  operands: 0,
  run: async ({ values }, context) => {
    const { mode, runId, wave, sha } = readDispatch(context.environment)
    context.output.print(`${mode} for run ${runId}, wave ${wave}, at ${sha}\n`)
    if (mode === 'apply') return await applyJob(values, context)
    const hold = mode === 'plan' && values['hold-plan'] === true
    const code = await planStacks({ ...values, hold }, context, { mode, isDispatched: true })
    return forgiving(code, values['changes-ok'])
  },
})
