import { defineCommand } from '../command.ts'
import { forgiving } from '../exit.ts'
import { planFlags } from '../plan/plan-flags.ts'
import { planStacks } from '../plan/plan-stacks.ts'

export const drift = defineCommand({
  name: 'drift',
  usage: '[flags]',
  text: `Plans each stack against the real resources; nothing is changed and no plan is saved. Data sources that would be read are no
drift, nor are outside changes that the configuration ignores; an output that would change is. Sets the step's output
has_changes. In a person's shell nothing is reported. Exits 0 without drift, 2 with drift.`,
  flags: planFlags,
  operands: 0,
  run: async ({ values }, context) =>
    forgiving(await planStacks(values, context, { mode: 'drift', isDispatched: true }), values['changes-ok']),
})
