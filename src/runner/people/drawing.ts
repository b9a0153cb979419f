import type { Run } from '#api/runs/run.ts'
import type { RunStack } from '#api/runs/run-stack.ts'
import { isBroken, isUnderWay } from '#domain/run-status.ts'
import type { Output, Paint, Size } from '../output/output.ts'
import { cutTo } from '../print/fitted-table.ts'
import { shown } from '../print/table.ts'
import { lengthOf, paintOfStatus } from './cells.ts'
import { titleOf } from './run-columns.ts'

/** A line of a drawing: its parts are cut and coloured one by one, so no escape sequence is ever cut. */
type Part = readonly [text: string, style?: Paint | undefined]

/** `2 applied, 1 applying`, each in its colour. */
const countParts = (counts: Readonly<Record<string, number>>): Part[] =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .flatMap(([status, count], i): Part[] => [[i === 0 ? '' : ', '], [`${count} ${status}`, paintOfStatus(status)]])

const countsOf = (stacks: readonly RunStack[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status } of stacks) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const BAR = 10

/** How much of a wave has come to its end: `██████····`. */
const barOf = (stacks: readonly RunStack[]): Part[] => {
  const open = stacks.filter(({ status }) => status === 'pending' || isUnderWay(status)).length
  const done = Math.floor((BAR * (stacks.length - open)) / stacks.length)
  const isBad = stacks.some(({ status }) => isBroken(status))
  return [['█'.repeat(done), isBad ? 'red' : 'green'], ['·'.repeat(BAR - done), 'dim'], ['  ']]
}

const stackLine = ({ key, status, started_at: at }: RunStack, now: number): Part[] => {
  const since = at !== undefined && isUnderWay(status) ? ` ${lengthOf(now - Date.parse(at))}` : ''
  return [['  '], [shown(key)], ['  '], [status, paintOfStatus(status)], [since]]
}

const isShown = ({ status }: RunStack): boolean => isUnderWay(status) || isBroken(status) || status === 'blocked'

const joined = (parts: readonly Part[], width: number, paint: Output['paint']): string => {
  let room = width
  let line = ''
  for (const [text, style] of parts) {
    const cut = cutTo(text, Math.max(room, 1))
    if (room <= 0 || cut === '') continue
    line += style === undefined ? cut : paint(style, cut)
    room -= [...cut].length
  }
  return line
}

/** The lines of a run: one a wave, and under it the stacks that move or went badly, as many as there is room for. */
export const drawingOf = (run: Run, { columns, rows }: Size, paint: Output['paint'], now: number): string[] => {
  const { stacks = [] } = run
  const waves = [...Map.groupBy(stacks, ({ wave }) => wave).entries()].sort(([a], [b]) => a - b)
  const began = Date.parse(run.started_at ?? run.created_at)
  const title: Part[] = [
    [`${shown(titleOf(run))}: `, 'bold'],
    [run.status, paintOfStatus(run.status)],
    [`  ${lengthOf(now - began)}`],
  ]
  const digits = String(waves.length).length
  // The cursor goes up only as far as the terminal does; its last two lines are the cursor's, and a note's.
  let room = rows - 3 - waves.length
  const lines: Part[][] = [title]
  for (const [wave, its] of waves) {
    lines.push([[`wave ${String(wave + 1).padStart(digits)}  `], ...barOf(its), ...countParts(countsOf(its))])
    const named = its.filter(isShown).slice(0, Math.max(0, room))
    room -= named.length
    for (const stack of named) lines.push(stackLine(stack, now))
  }
  return lines.slice(0, Math.max(1, rows - 2)).map((parts) => joined(parts, columns - 1, paint))
}
