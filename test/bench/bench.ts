import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runAll } from './harness/all.ts'
import { type Bench, type Measured, type Measurement, measure } from './harness/measure.ts'
import { reportOf, tableOf } from './harness/report.ts'

const usage = `npm run bench -- NAME [--json] [--runs N] [--group NAME]
npm run bench -- all [--only A,B] [--runs N] [--json]

Runs test/bench/NAME.ts and prints a table on standard output; with --json the last line there is the report as JSON, and
the table goes to standard error, as progress always does. 'all' runs every bench, or those named, and writes docs/performance.md.`

const available = (): string[] =>
  readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.ts') && file !== 'bench.ts')
    .filter((file) => /^export default\b/m.test(readFileSync(join(import.meta.dirname, file), 'utf8')))
    .map((file) => file.slice(0, -'.ts'.length))

const load = async (name: string): Promise<Bench> => {
  const names = available()
  if (!names.includes(name)) throw new Error(`there is no bench '${name}'; there are: ${names.join(', ') || 'none'}`)
  return (await import(`./${name}.ts`)).default
}

const groupsOf = (bench: Bench, only: string | undefined): [string, Measurement][] => {
  if (!('groups' in bench)) return [['', bench]]
  const groups = Object.entries(bench.groups)
  const wanted = groups.filter(([group]) => only === undefined || group === only)
  if (wanted.length > 0) return wanted
  throw new Error(`there is no group '${only}'; there are: ${groups.map(([group]) => group).join(', ')}`)
}

/** On a terminal one line that changes; else a line each, for a log to keep. */
const progress = (text: string): void => {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[2K${text}` : `${text}\n`)
}

const run = async (
  name: string,
  options: { json: boolean; runs: number; group: string | undefined },
): Promise<void> => {
  const bench = await load(name)
  const measured = new Map<string, Measured>()
  for (const [group, measurement] of groupsOf(bench, options.group)) {
    const label = group ? `${bench.name}, ${group}` : bench.name
    measured.set(group, await measure(measurement, options.runs, (text) => progress(`${label}: ${text}`)))
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K')
  const report = reportOf(bench, measured)
  const table = tableOf(report)
  if (!options.json) return console.log(table)
  console.error(table)
  console.log(JSON.stringify(report))
}

const all = (only: string | undefined, runs: number): void => {
  const names = only?.split(',') ?? available()
  const failed = runAll(names, runs)
  if (failed.length > 0) throw new Error(`without a result: ${failed.join(', ')}`)
}

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      runs: { type: 'string', default: '5' },
      group: { type: 'string' },
      only: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [name] = positionals
  const runs = Number(values.runs)
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs: '${values.runs}' must be a positive integer`)
  if (name === undefined || values.help) console.log(`${usage}\n\nNAME is one of: ${available().join(', ')}`)
  else if (name === 'all') all(values.only, runs)
  else await run(name, { json: values.json, runs, group: values.group })
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
