/** Rows as they are shown, and how many newer ones are held back. */
export type Split<T> = { shown: readonly T[]; fresh: number }

type Id = string | number

/**
 * So many are held back at most, which with those that are shown at first is as many as the API answers at once: a list that is left open for a
 * week would read thousands each time, to show fifty and a number.
 */
const mostHeldBack = 450

/** How many rows are on top of the first known one; undefined where the list is another one: none is known any more, or too many came. */
const onTop = <T>(rows: readonly T[], idOf: (row: T) => Id, known: ReadonlySet<Id>): number | undefined => {
  const first = rows.findIndex((row) => known.has(idOf(row)))
  return first < 0 || first > mostHeldBack ? undefined : first
}

/**
 * Rows newest first, without those that came on top since somebody last looked: `known` are the rows of then. Rows further down are
 * shown, known or not. Where the list is another one, all of it is shown.
 */
export const withoutNew = <T>(
  rows: readonly T[],
  idOf: (row: T) => Id,
  known: ReadonlySet<Id> | undefined,
): Split<T> => {
  const fresh = known === undefined ? 0 : (onTop(rows, idOf, known) ?? 0)
  return { shown: fresh === 0 ? rows : rows.slice(fresh), fresh }
}

/** The rows that are known from now on: the same, or those of another list, which would else hold back nothing any more. */
export const knownFrom = <T>(
  rows: readonly T[],
  idOf: (row: T) => Id,
  known: ReadonlySet<Id> | undefined,
): ReadonlySet<Id> => {
  const isSame = known !== undefined && (rows.length === 0 || onTop(rows, idOf, known) !== undefined)
  return isSame ? known : new Set(rows.map(idOf))
}
