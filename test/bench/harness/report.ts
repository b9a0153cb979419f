import { styleText } from 'node:util'
import type { Measured } from './measure.ts'

export type Report = { name: string; unit: string; medians: Record<string, number>; ratios: Record<string, number> }

/** Medians of all, and our median over each other's: below 1 is ahead. Keys are `contender`, with groups `group/contender`. */
export const reportOf = (name: string, unit: string, groups: Map<string, Measured>): Report => {
  const report: Report = { name, unit, medians: {}, ratios: {} }
  for (const [group, { ours, figures }] of groups) {
    const own = figures.get(ours)?.median ?? Number.NaN
    for (const [contender, { median }] of figures) {
      const key = group === '' ? contender : `${group}/${contender}`
      report.medians[key] = rounded(median)
      if (contender !== ours) report.ratios[key] = rounded(own / median)
    }
  }
  return report
}

/** Four significant digits: more would claim a precision that no run here has. */
const rounded = (value: number): number => Number(value.toPrecision(4))

/** For people: best first, ours marked, with the cost of ours as a multiple of theirs. */
export const tableOf = (unit: string, groups: Map<string, Measured>): string =>
  [...groups].map(([group, measured]) => `${group && `\n${group}\n`}${groupTable(unit, measured)}`).join('\n')

const groupTable = (unit: string, { ours, figures }: Measured): string => {
  const own = figures.get(ours)?.median ?? Number.NaN
  const rows = [...figures]
    .toSorted(([, a], [, b]) => a.median - b.median)
    .map(([name, { median, min, max }]) => [
      name === ours ? `${name} (ours)` : name,
      number(median),
      `${number(min)}–${number(max)}`,
      name === ours ? '' : number(own / median),
    ])
  const all = [['', `median ${unit}`, 'min–max', 'ours / theirs'], ...rows]
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = all.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  )
  return lines
    .map((line, index) => (index > 0 && rows[index - 1]?.[3] === '' ? styleText('bold', line) : line))
    .join('\n')
}

const number = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 4 })
