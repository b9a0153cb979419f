import type { RunRow } from '../../api/run-types.ts'

type Summary = NonNullable<RunRow['summary']>

/** What is done with a resource, as summaries count it, destroys first. */
export const doings = ['destroy', 'replace', 'change', 'add'] as const
export type Doing = (typeof doings)[number]

const counted = { destroy: 'destroys', replace: 'replaces', change: 'changes', add: 'adds' } as const
const listed = { destroy: 'destroyed', replace: 'replaced', change: 'changed', add: 'added' } as const

/** Of one stack, what is done in one way. `unlisted`: those whose addresses are not told, since lists end at 500. */
export type StackChanges = { row: RunRow; addresses: readonly string[]; unlisted: number }

export type Changes = { doing: Doing; total: number; stacks: readonly StackChanges[] }

const addressesOf = (summary: Summary, doing: Doing): readonly string[] => summary[listed[doing]] ?? []

/**
 * The resources of a run by what is done with them, then by stack in the order of the rows; with a text to find, those whose
 * address has it, in whatever case. A way in which nothing is done is left out.
 */
export const changesOf = (rows: readonly RunRow[], find = ''): Changes[] => {
  const wanted = find.trim().toLowerCase()
  return doings.flatMap((doing) => {
    const stacks = rows.flatMap((row): StackChanges[] => {
      if (!row.summary) return []
      const all = addressesOf(row.summary, doing)
      const addresses = wanted === '' ? all : all.filter((address) => address.toLowerCase().includes(wanted))
      // what is not listed cannot be looked through
      const unlisted = wanted === '' ? Math.max(0, row.summary[counted[doing]] - all.length) : 0
      return addresses.length + unlisted === 0 ? [] : [{ row, addresses, unlisted }]
    })
    const total = stacks.reduce((sum, { addresses, unlisted }) => sum + addresses.length + unlisted, 0)
    return total === 0 ? [] : [{ doing, total, stacks }]
  })
}

/** Stacks that nothing is told of yet, and those whose lists end before their counts do. */
export const gapsOf = (rows: readonly RunRow[]): { untold: RunRow[]; cut: RunRow[] } => ({
  untold: rows.filter(({ summary, status }) => !summary && ['pending', 'planning', 'applying'].includes(status)),
  cut: rows.filter(({ summary }) =>
    doings.some((doing) => summary !== undefined && addressesOf(summary, doing).length < summary[counted[doing]]),
  ),
})

/** A line of the list. */
export type Line =
  | { is: 'doing'; doing: Doing; total: number; stacks: number }
  | { is: 'stack'; doing: Doing; row: RunRow; total: number }
  | { is: 'address'; doing: Doing; row: RunRow; address: string }
  | { is: 'unlisted'; doing: Doing; row: RunRow; count: number }

/** All of it as lines of one height. */
export const linesOf = (changes: readonly Changes[]): Line[] =>
  changes.flatMap(({ doing, total, stacks }): Line[] => [
    { is: 'doing', doing, total, stacks: stacks.length },
    ...stacks.flatMap(({ row, addresses, unlisted }): Line[] => [
      { is: 'stack', doing, row, total: addresses.length + unlisted },
      ...addresses.map((address): Line => ({ is: 'address', doing, row, address })),
      ...(unlisted > 0 ? [{ is: 'unlisted' as const, doing, row, count: unlisted }] : []),
    ]),
  ])

/** What a line is called among all. */
export const nameOfLine = (line: Line): string => {
  if (line.is === 'doing') return line.doing
  return `${line.doing} ${line.row.key} ${line.is === 'address' ? line.address : line.is}`
}
