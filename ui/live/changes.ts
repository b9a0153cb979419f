import type { Run, RunRow } from '../api/run-types.ts'

/** A run's rows by their keys, in the order of waves and keys. */
export type Rows = ReadonlyMap<string, RunRow>

export type Change = { before: RunRow | undefined; after: RunRow }

export type Merged = { rows: Rows; changes: readonly Change[]; gone: readonly string[] }

/**
 * What is known after one more answer. An answer that names the `since` it was asked with has only what changed after it; one that
 * does not has every row, and what it leaves out is gone. Rows that are as they were stay the very same objects, and so does the map
 * where nothing changed.
 */
export const merged = (known: Rows, { since, stacks }: Pick<Run, 'since' | 'stacks'>): Merged => {
  if (stacks === undefined) return { rows: known, changes: [], gone: [] }
  const changes = stacks.flatMap((after) => {
    const before = known.get(after.key)
    return before !== undefined && isSame(before, after) ? [] : [{ before, after }]
  })
  const told = new Set(stacks.map(({ key }) => key))
  const gone = since === undefined ? [...known.keys()].filter((key) => !told.has(key)) : []
  if (changes.length === 0 && gone.length === 0) return { rows: known, changes, gone }
  const rows = new Map(known)
  for (const key of gone) rows.delete(key)
  for (const { after } of changes) rows.set(after.key, after)
  const isInOrder = changes.every(({ before, after }) => before?.wave === after.wave)
  return { rows: isInOrder ? rows : inOrder(rows), changes, gone }
}

/** Both were parsed from answers of one service, which writes their fields in one order. */
const isSame = (a: RunRow, b: RunRow): boolean => JSON.stringify(a) === JSON.stringify(b)

const inOrder = (rows: Rows): Rows =>
  new Map([...rows].sort(([keyA, a], [keyB, b]) => a.wave - b.wave || (keyA < keyB ? -1 : 1)))
