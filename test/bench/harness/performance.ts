import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cellsOf, type Report } from './report.ts'

/** The newest report of each bench, and the machine that each was measured on. */
export type Results = Record<string, Report & { machine: string }>

const resultsFile = join(import.meta.dirname, '../results.json')
const pageFile = join(import.meta.dirname, '../../../docs/performance.md')

export const readResults = (): Results => JSON.parse(readFileSync(resultsFile, 'utf8')) as Results

/** Keeps a bench's report, and writes the page again. */
export const keepReport = (report: Report, machine: string): void => {
  const { [report.name]: _, ...others } = readResults()
  const all: Results = Object.fromEntries(
    Object.entries({ ...others, [report.name]: { ...report, machine } }).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
  writeFileSync(resultsFile, `${JSON.stringify(all, null, 2)}\n`)
  writeFileSync(pageFile, performancePage(all))
}

/** docs/performance.md. */
export const performancePage = (results: Results): string =>
  `# Performance

Made by \`npm run bench -- all --json\` from the results of the benches; not to be edited by hand. Service, Postgres, code host and clients run
on one machine. **The ratios count, not the figures**: all contenders of a table took turns in the same minutes. Commits wait for the disk, and
workers are at work. A floor is the least that any program must do, and may batch, share and cache as the service does; a ratio below 1 is ahead.

${Object.values(results).map(sectionOf).join('\n')}`

const sectionOf = ({ name, about, machine, groups }: Results[string]): string =>
  `## ${name}

${about} ${machine}. Repeat it: \`npm run bench -- ${name}\`.

${Object.entries(groups)
  .map(([group, reported]) => `${group && `**${group}**\n\n`}${markdownOf(cellsOf(reported))}`)
  .join('\n')}`

const markdownOf = ([heading = [], ...rows]: string[][]): string => {
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |\n`
  return [line(heading), line(heading.map((_, index) => (index === 0 ? '---' : '--:'))), ...rows.map(line)].join('')
}
