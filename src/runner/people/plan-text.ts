import { defineCommand, usageProblem } from '../command.ts'
import { exit } from '../exit.ts'
import { segment } from '../service/service.ts'
import { apiFlags, apiFor } from './api.ts'
import { colouredPlan } from './coloured-plan.ts'
import { findRunId } from './find-run.ts'

/** `svc plan-text`. */
export const planText = defineCommand({
  name: 'plan-text',
  usage: 'RUN STACK [flags]',
  text: `The whole text, wherever the service keeps it; on a terminal in colours, elsewhere as it is. RUN is the id of a run, or its
beginning; STACK is the key of one of its stacks. With --json it prints an object with run_id, stack_key and text, the text as
GET /v1/runs/{id}/stacks/{key}/text answers it.`,
  flags: apiFlags,
  operands: 2,
  among: [],
  run: async ({ values, operands: [named, key] }, context) => {
    const { output } = context
    const api = apiFor(values, context)
    if (key === undefined)
      throw usageProblem('plan-text', 'it takes two arguments: the id of a run, and the key of a stack')
    const id = await findRunId(api, 'plan-text', named)
    const text = await api.getText(`/v1/runs/${id}/stacks/${segment(key)}/text`)
    output.answer({ run_id: id, stack_key: key, text })
    if (output.isJson) return exit.ok
    const whole = text.endsWith('\n') || text === '' ? text : `${text}\n`
    output.print(output.isTerminal ? colouredPlan(whole, output.paint) : whole)
    return exit.ok
  },
})
