import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pageOf } from '#api/page.ts'
import { Gate } from '#api/runs/gate.ts'
import { Run } from '#api/runs/run.ts'
import { Problem } from '#errors.ts'
import { type Context, defineCommand, usageProblem } from '../command.ts'
import { exit } from '../exit.ts'
import type { Output, Paint } from '../output/output.ts'
import { type Column, fittedTable } from '../print/fitted-table.ts'
import { shown } from '../print/table.ts'
import { type Api, apiFlags, apiFor } from './api.ts'
import { findRunId } from './find-run.ts'
import { repositoryMeant } from './repository-meant.ts'

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

const verdictOf = ({ allowed, decided_at: at, comment }: Gate, tried: string | undefined): string => {
  if (tried !== undefined) return `an apply would ${allowed ? 'pass' : 'be refused'} by ${tried}, which decides nothing`
  if (at !== undefined) return `it passed the gate at ${at}`
  if (!allowed) return 'an apply would be refused'
  return `an apply would pass${comment === undefined ? '' : `: comment '${comment}' on the pull request`}`
}

const printGate = (gate: Gate, tried: string | undefined, output: Output): void => {
  output.print(`${output.paint(gate.allowed ? 'green' : 'red', shown(verdictOf(gate, tried)))}\n`)
  output.print(fittedTable(columns, gate.facts, { width: output.size()?.columns, paint: output.paint }))
  for (const { layer, name, reason, stacks } of gate.failures) {
    const where = stacks.length === 0 ? '' : ` (${stacks.join(', ')})`
    output.print(`${output.paint('red', '✗')} ${shown(`${layer} ${name}: ${reason}${where}`)}\n`)
  }
  const hints = new Set(gate.facts.flatMap(({ next }) => (next === undefined ? [] : [next])))
  for (const next of hints) output.print(`next: ${shown(next)}\n`)
}

/** The text of the file that is to be tried; undefined without one. */
const textOf = (path: string | undefined, cwd: string): Promise<string> | undefined => {
  if (path === undefined) return undefined
  return readFile(resolve(cwd, path), 'utf8').catch((error: unknown) => {
    throw new Problem('invalid', `--config=${path}: cannot be read`, { cause: error })
  })
}

type Named = { run: string | undefined; pr: string | undefined; repo: string | undefined }

/** The id of the run that is named, or of the pull request's newest plan. */
const runMeant = async (api: Api, { run, pr, repo }: Named, context: Context): Promise<string> => {
  if (pr === undefined) return findRunId(api, 'gate', run)
  if (run !== undefined) throw usageProblem('gate', `--pr=${pr} says which run is meant: leave out ${run}`)
  if (!/^[1-9]\d*$/.test(pr)) throw usageProblem('gate', `--pr=${pr}: is not the number of a pull request`)
  const of = await repositoryMeant(repo, context)
  const { content } = await api.get('/v1/runs', pageOf(Run), { repo: of, pr, mode: 'plan', limit: '1' })
  const newest = content.items[0]
  if (newest === undefined) throw new Problem('not_found', `pull request #${pr} of ${of} has no plan`)
  return newest.id
}

/** `svc gate`. */
export const gate = defineCommand({
  name: 'gate',
  usage: '[RUN] [--pr=NUMBER] [--config=FILE] [flags]',
  text: `Of a plan: whether it could be applied now, layer by layer, and what to do about what stands in the way. Of an apply: what let it
pass. Nothing is applied. RUN is the id of a run, or its beginning; with --pr it is the newest plan of a pull request.
With --config it is judged by that file instead of the default branch's svc.yml: try a policy before it is merged. Nothing is changed
by it. With --json it prints the API's own answer to GET, or with --config POST, /v1/runs/{id}/gate. Exits 0 when an apply would pass,
3 when it would be refused.`,
  flags: {
    ...apiFlags,
    pr: { says: 'the newest plan of this pull request, in place of RUN', value: 'NUMBER' },
    repo: { says: "the pull request's repository, if the clone does not say it", value: 'OWNER/NAME' },
    config: { says: "an svc.yml to judge by, in place of the default branch's", value: 'FILE' },
  },
  operands: 1,
  among: [],
  run: async ({ values, operands: [run] }, context) => {
    const { pr, repo, config } = values
    if (repo !== undefined && pr === undefined)
      throw usageProblem('gate', '--repo says whose pull request: give --pr too')
    const api = apiFor(values, context)
    const text = await textOf(config, context.cwd)
    const path = `/v1/runs/${await runMeant(api, { run, pr, repo }, context)}/gate`
    const { content, raw } = await (text === undefined ? api.get(path, Gate) : api.post(path, Gate, { config: text }))
    context.output.answer(raw)
    if (!context.output.isJson) printGate(content, config, context.output)
    return content.allowed ? exit.ok : exit.refused
  },
})
