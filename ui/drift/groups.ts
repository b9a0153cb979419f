import type { StackDetail } from '../api/stacks.ts'
import { many } from '../parts/words.ts'

type Summary = NonNullable<NonNullable<StackDetail['drift']>['summary']>

/** What is done with resources, as summaries count it, destroys first. */
const ways = [
  ['destroy', 'destroys', 'destroyed'],
  ['replace', 'replaces', 'replaced'],
  ['change', 'changes', 'changed'],
  ['add', 'adds', 'added'],
] as const

export type Does = (typeof ways)[number][0]

/** What an apply would do. */
export const verbs: Record<Does, string> = { destroy: 'destroy', replace: 'replace', change: 'change', add: 'create' }

/** What would bring a stack back to its code. `unlisted`: the addresses that are not told, by what is done with them. */
type Changes = {
  lines: { does: Does; address: string }[]
  unlisted: { does: Does; count: number }[]
  /** What has no address: imports, moves and outputs, in words. */
  others: string[]
}

/** Stacks that have drifted alike, the longest drifted first. `changes` is undefined where the plan's summary is not there. */
export type DriftGroup = {
  id: string
  changes: Changes | undefined
  stacks: StackDetail[]
  /** Since when the first of them has drifted. */
  since: string | undefined
}

const others = ({ imports = 0, moves = 0, output_changes: outputs = 0 }: Summary): string[] => [
  ...(imports > 0 ? [many(imports, 'import')] : []),
  ...(moves > 0 ? [many(moves, 'move')] : []),
  ...(outputs > 0 ? [many(outputs, 'output')] : []),
]

const numeric = new Intl.Collator('en', { numeric: true })

/** `[2]` before `[10]`; of those that count alike, as their letters are: equal lists have one order. */
const byAddress = (a: string, b: string): number => numeric.compare(a, b) || (a < b ? -1 : 1)

const changesOf = (summary: Summary): Changes => ({
  lines: ways.flatMap(([does, , listed]) =>
    (summary[listed] ?? []).toSorted(byAddress).map((address) => ({ does, address })),
  ),
  unlisted: ways.flatMap(([does, counted, listed]) => {
    const count = summary[counted] - (summary[listed] ?? []).length
    return count > 0 ? [{ does, count }] : []
  }),
  others: others(summary),
})

export const sinceOf = ({ drift }: StackDetail): string | undefined => drift?.drifted_since ?? drift?.checked_at

const byAge = (a: StackDetail, b: StackDetail): number => (sinceOf(a) ?? '').localeCompare(sinceOf(b) ?? '')

/**
 * Stacks by what is changed in them: most stacks first, of as many the longest drifted. Equal are the addresses, what is done with
 * each, and how many are not told.
 */
export const groupsOf = (stacks: readonly StackDetail[]): DriftGroup[] => {
  const alike = Map.groupBy(stacks, ({ drift }) => JSON.stringify(drift?.summary ? changesOf(drift.summary) : null))
  const groups = [...alike].map(([id, stacks]): DriftGroup => {
    const sorted = stacks.toSorted(byAge)
    const [first] = sorted
    const summary = first?.drift?.summary
    return { id, changes: summary && changesOf(summary), stacks: sorted, since: first && sinceOf(first) }
  })
  return groups.toSorted((a, b) => b.stacks.length - a.stacks.length || (a.since ?? '').localeCompare(b.since ?? ''))
}

/** `1 to replace, 2 to change`: all that an apply would do, destroys first. */
export const inShort = ({ changes }: DriftGroup): string => {
  if (changes === undefined) return 'Changes that are not kept'
  const count = (does: Does): number =>
    changes.lines.filter((line) => line.does === does).length +
    (changes.unlisted.find((one) => one.does === does)?.count ?? 0)
  const parts = ways.flatMap(([does]) => (count(does) > 0 ? [`${count(does)} to ${verbs[does]}`] : []))
  const words = [...parts, ...changes.others].join(', ')
  return words === '' ? 'Changes that are not counted' : words
}

/** `7 stacks drifted · 3 different changes`. */
export const sizeOf = (stacks: readonly StackDetail[], isAll: boolean): string => {
  const count = many(stacks.length, 'stack')
  const all = isAll ? `${count} drifted` : `The first ${count} that drifted`
  return stacks.length === 0 ? all : `${all} · ${many(groupsOf(stacks).length, 'different change')}`
}
