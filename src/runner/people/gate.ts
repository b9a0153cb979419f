import { Gate } from '#api/runs/gate.ts'
import { defineCommand } from '../command.ts'
import { exit } from '../exit.ts'
import type { Output, Paint } from '../output/output.ts'
import { type Column, fittedTable } from '../print/fitted-table.ts'
import { shown } from '../print/table.ts'
import { apiFlags, apiFor } from './api.ts'
import { findRunId } from './find-run.ts'

type Facts = Gate['facts'][number]

const paints: Readonly<Record<Facts['verdict'], Paint>> = {
  pass: 'green',
  fail: 'red',
  pending: 'yellow',
  unknown: 'yellow',
  off: 'dim',
}

const columns: readonly Column<Facts>[] = [
  { heading: 'LAYER', cell: ({ layer }) => layer, whole: true },
  { heading: 'VERDICT', cell: ({ verdict }) => verdict, paint: ({ verdict }) => paints[verdict], whole: true },
  { heading: 'FOUND', cell: ({ summary }) => summary },
]

const verdictOf = ({ allowed, decided_at: at, comment }: Gate): string => {
  if (at !== undefined) return `it passed the gate at ${at}`
  if (!allowed) return 'an apply would be refused'
  return `an apply would pass${comment === undefined ? '' : `: comment '${comment}' on the pull request`}`
}

const printGate = (gate: Gate, output: Output): void => {
  output.print(`${output.paint(gate.allowed ? 'green' : 'red', shown(verdictOf(gate)))}\n`)
  output.print(fittedTable(columns, gate.facts, { width: output.size()?.columns, paint: output.paint }))
  for (const { layer, name, reason, stacks } of gate.failures) {
    const where = stacks.length === 0 ? '' : ` (${stacks.join(', ')})`
    output.print(`${output.paint('red', '✗')} ${shown(`${layer} ${name}: ${reason}${where}`)}\n`)
  }
  const hints = new Set(gate.facts.flatMap(({ next }) => (next === undefined ? [] : [next])))
  for (const next of hints) output.print(`next: ${shown(next)}\n`)
}

/** `svc gate`. */
export const gate = defineCommand({
  name: 'gate',
  usage: 'RUN [flags]',
  text: `Of a plan: whether it could be applied now, layer by layer, and what to do about what stands in the way. Of an apply: what let it
pass. Nothing is applied. RUN is the id of a run, or its beginning. With --json it prints the API's own answer to
GET /v1/runs/{id}/gate. Exits 0 when an apply would pass, 3 when it would be refused.`,
  flags: apiFlags,
  operands: 1,
  among: [],
  run: async ({ values, operands: [named] }, context) => {
    const api = apiFor(values, context)
    const id = await findRunId(api, 'gate', named)
    const { content, raw } = await api.get(`/v1/runs/${id}/gate`, Gate)
    context.output.answer(raw)
    if (!context.output.isJson) printGate(content, context.output)
    return content.allowed ? exit.ok : exit.refused
  },
})
