import { applyJob } from '../apply/apply-job.ts'
import { defineCommand } from '../command.ts'
import { stackFlags } from '../job/selection.ts'
import { serviceFlags } from '../service/reach-service.ts'

export const apply = defineCommand({
  name: 'apply',
  says: 'Apply the stack of a dispatched job, once the service has said that it may, and report.',
  usage: '[--hold] [flags]',
  text: `Asks the service first. When it refuses or cannot be reached, the tool is not started at all, and the exit status is 3.
Then init, workspace select, and apply of terraform or tofu: of the saved plan that the matrix names, where the workflow
downloaded it and it is not stale, else of a new plan, which the log shows before. Without changes nothing is applied. Checks
of svc.yml with \`on: apply\` run before the result is reported; with --hold it waits for svc report. A signal is passed on,
and what came of it is reported. Sets the step's output has_changes. Exits 0 applied or nothing to apply, 1 failed, 3 refused.`,
  flags: {
    ...stackFlags,
    ...serviceFlags,
    tool: { says: 'program to apply with, a name or a path (SVC_TOOL)', value: 'PROGRAM' },
    hold: { says: 'keep the result for svc report' },
  },
  operands: 0,
  run: ({ values }, context) => applyJob(values, context),
})
