import { defineCommand } from '../command.ts'
import { forgiving } from '../exit.ts'
import { planFlags } from '../plan/plan-flags.ts'
import { planStacks } from '../plan/plan-stacks.ts'

export const plan = defineCommand({
  name: 'plan',
  usage: '[--hold] [flags]',
  text: `Runs init, workspace select, plan and show of terraform, tofu or terragrunt in each stack's directory. Sensitive values are masked in
everything that is sent; for a stack with plan_output summary no text is sent. Sets the step's outputs artifact (a name for the
saved plan; empty without changes), plan_file and has_changes. With --hold the result waits for svc report, after verdicts of the
job's own steps. In a person's shell nothing is reported. Exits 0 without changes, 2 with some;
1 or 3 if the service does not take the result or a verdict.`,
  flags: planFlags,
  operands: 0,
  run: async ({ values }, context) =>
    forgiving(await planStacks(values, context, { mode: 'plan', isDispatched: false }), values['changes-ok']),
})
