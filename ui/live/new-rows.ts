/** Rows as they are shown, and how many newer ones are held back. */
export type Split<T> = { shown: readonly T[]; fresh: number }

/**
 * Rows newest first, without those that came on top since somebody last looked: `known` are the rows of then. Rows further down are
 * shown, known or not. Where none is known any more, the list is another one, and all of it is shown.
 */
export const withoutNew = <T>(
  rows: readonly T[],
  idOf: (row: T) => string | number,
  known: ReadonlySet<string | number> | undefined,
): Split<T> => {
  const first = known === undefined ? 0 : rows.findIndex((row) => known.has(idOf(row)))
  return first <= 0 ? { shown: rows, fresh: 0 } : { shown: rows.slice(first), fresh: first }
}
