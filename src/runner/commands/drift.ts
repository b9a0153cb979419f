import { defineCommand } from '../command.ts'
import { changesOk, forgiving } from '../exit.ts'
import { stackFlags } from '../job/selection.ts'
import { planStacks } from '../plan/plan-stacks.ts'
import { serviceFlags } from '../service/reach-service.ts'

export const drift = defineCommand({
  name: 'drift',
  says: "Look whether the job's stacks still are as the checkout says, and report.",
  usage: '[flags]',
  text: `Plans each stack against what is really there; nothing is changed and no plan is saved. Data sources that would be read
are no drift, nor is what was changed outside and the configuration ignores; an output that would change is. Sets the step's output has_changes. In a person's shell nothing is reported. Exits 0 without drift, 2 with
some.`,
  flags: {
    ...stackFlags,
    ...serviceFlags,
    tool: { says: 'program to plan with, a name or a path (SVC_TOOL)', value: 'PROGRAM' },
    hold: { says: 'keep the result for svc report' },
    'changes-ok': changesOk,
  },
  operands: 0,
  run: async ({ values }, context) =>
    forgiving(await planStacks(values, context, { mode: 'drift', isDispatched: true }), values['changes-ok']),
})
