import { applyJob } from '../apply/apply-job.ts'
import { defineCommand } from '../command.ts'
import { stackFlags } from '../job/selection.ts'
import { serviceFlags } from '../service/reach-service.ts'

export const apply = defineCommand({
  name: 'apply',
  usage: '[--hold] [flags]',
  text: `Asks the service first. If it refuses or cannot be reached, the tool is not started at all, and the exit status is 3.
Then runs init, workspace select and apply of terraform, tofu or terragrunt. It applies the saved plan that the matrix names if the workflow
downloaded it and it is not stale, else a new plan, which the log shows first. Without changes nothing is applied. Checks of
svc.yml with \`on: apply\` run before the result is reported; with --hold the result waits for svc report. A signal is passed on
to the tool, and the outcome is reported. Sets the step's output has_changes. Exits 0 when applied or nothing to apply, 1 when it
failed, 3 when refused.`,
  flags: {
    ...stackFlags,
    ...serviceFlags,
    tool: { says: 'program to apply with, a name or a path (SVC_TOOL)', value: 'PROGRAM' },
    hold: { says: 'keep the result for svc report' },
  },
  operands: 0,
  run: ({ values }, context) => applyJob(values, context),
})
