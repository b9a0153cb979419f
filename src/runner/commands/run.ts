import { applyJob } from '../apply/apply-job.ts'
import { defineCommand, usageProblem } from '../command.ts'
import { changesOk, forgiving } from '../exit.ts'
import { readDispatch } from '../job/dispatch.ts'
import { stackFlags } from '../job/selection.ts'
import { showRun } from '../people/show-run.ts'
import { planStacks } from '../plan/plan-stacks.ts'
import { serviceFlags } from '../service/reach-service.ts'

const { 'work-dir': workDir } = stackFlags

/** What a person who looks at a run has no use for. */
const jobFlags = ['audience', 'work-dir', 'tool', 'hold-plan'] as const

export const run = defineCommand({
  name: 'run',
  usage: '[--hold-plan] [flags] | RUN [--watch] [flags]',
  text: `For the workflow svc-run.yml. Reads SVC_MODE, SVC_RUN_ID, SVC_WAVE, SVC_SHA and SVC_MATRIX, which are the workflow's inputs
and toJSON(matrix), and then does as svc plan, svc apply or svc drift: 'svc help apply' says more. The service is asked first, and
an apply does nothing without its permission. With --hold-plan the result of a plan waits for svc report, after verdicts of the
job's own steps; the result of an apply or a check for drift is reported at once.

With RUN, the id of a run or its beginning, it shows that run to a person who has SVC_API_KEY: its stacks by wave,
what somebody has to look at, and what comes next. With --watch it draws the waves as they move until the run is over, and its exit
status says how that was: 0 applied or nothing to change, 2 planned with changes or drifted, 1 failed or unconfirmed, 3 superseded.
With --json it prints the API's own answer to GET /v1/runs/{id}.`,
  flags: {
    ...serviceFlags,
    'work-dir': workDir,
    tool: { says: 'program to run as the tool, a name or a path (SVC_TOOL)', value: 'PROGRAM' },
    'hold-plan': { says: "keep a plan's result for svc report" },
    'changes-ok': changesOk,
    watch: { says: 'with RUN: draw the run until it is over' },
  },
  operands: 1,
  among: [],
  run: async ({ values, operands: [named] }, context) => {
    if (named !== undefined) {
      const [foreign] = jobFlags.filter((flag) => values[flag] !== undefined)
      if (foreign !== undefined)
        throw usageProblem('run', `--${foreign} is for jobs, and means nothing with the id of a run`)
      return await showRun(named, values, context)
    }
    if (values.watch === true) throw usageProblem('run', '--watch needs the id of a run')
    const { mode, runId, wave, sha } = readDispatch(context.environment)
    context.output.print(`${mode} for run ${runId}, wave ${wave}, at ${sha}\n`)
    if (mode === 'apply') return await applyJob(values, context)
    const hold = mode === 'plan' && values['hold-plan'] === true
    const code = await planStacks({ ...values, hold }, context, { mode, isDispatched: true })
    return forgiving(code, values['changes-ok'])
  },
})
