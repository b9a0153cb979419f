import { styleText } from 'node:util'
import type { Figures, Measured } from './measure.ts'

/** A bench's figures as they are kept: by group, the empty name for a bench without groups, and by contender, ours first. */
export type Report = { name: string; about: string; groups: Record<string, ReportedGroup> }

export type ReportedGroup = { unit: string; contenders: Record<string, Reported> }

/** `ratio`: our median over theirs, below 1 is ahead. */
export type Reported = Figures & { ratio?: number }

/** Medians of all, and our median over each other's. */
export const reportOf = (
  { name, about, unit }: { name: string; about: string; unit: string },
  groups: Map<string, Measured>,
): Report => ({
  name,
  about,
  groups: Object.fromEntries([...groups].map(([group, measured]) => [group, reportedGroup(unit, measured)])),
})

const reportedGroup = (unit: string, { ours, unit: own, figures }: Measured): ReportedGroup => {
  const median = figures.get(ours)?.median ?? Number.NaN
  const names = [ours, ...[...figures.keys()].filter((name) => name !== ours)]
  const contenders = names.flatMap((name): [string, Reported][] => {
    const found = figures.get(name)
    if (!found) return []
    const ratio = name === ours ? {} : { ratio: rounded(median / found.median) }
    return [[name, { ...roundedFigures(found), ...ratio }]]
  })
  return { unit: own ?? unit, contenders: Object.fromEntries(contenders) }
}

const roundedFigures = (figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, rounded(figure)])) as Figures

/** Four significant digits: more would claim a precision that no run here has. */
const rounded = (value: number): number => Number(value.toPrecision(4))

/** For people: best first, ours marked, with the cost of ours as a multiple of theirs. */
export const tableOf = ({ groups }: Report): string =>
  Object.entries(groups)
    .map(([group, reported]) => `${group && `\n${group}\n`}${groupTable(reported)}`)
    .join('\n')

/** The table's cells, its heading first; what no contender has is left out. */
export const cellsOf = ({ unit, contenders }: ReportedGroup): string[][] => {
  const all = Object.entries(contenders).toSorted(([, a], [, b]) => a.median - b.median)
  const hasWaits = all.some(([, { p50 }]) => p50 !== undefined)
  const hasOthers = all.length > 1
  const row = ([name, { median, min, max, p50, p99, ratio }]: [string, Reported]): string[] => [
    ratio === undefined && hasOthers ? `${name} (ours)` : name,
    number(median),
    `${number(min)}–${number(max)}`,
    ...(hasWaits ? [p50, p99].map((wait) => (wait === undefined ? '' : number(wait))) : []),
    ...(hasOthers ? [ratio === undefined ? '' : number(ratio)] : []),
  ]
  const heading = ['', `median ${unit}`, 'min–max', ...(hasWaits ? ['p50', 'p99'] : [])]
  return [[...heading, ...(hasOthers ? ['ours / theirs'] : [])], ...all.map(row)]
}

const groupTable = (group: ReportedGroup): string => {
  const all = cellsOf(group)
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? []
  return all
    .map((row) => {
      const line = row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  ')
      return row[0]?.endsWith(' (ours)') ? styleText('bold', line) : line
    })
    .join('\n')
}

const number = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 4 })
