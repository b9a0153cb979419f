/** Where a key moves the focus to in a table of so many rows; undefined where it is none of the table's. */
export const moved = (key: string, at: number, count: number, page: number): number | undefined => {
  const to: Record<string, number> = {
    ...{ ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1 },
    ...{ PageDown: at + page, PageUp: at - page, Home: 0, End: count - 1 },
  }
  const next = to[key]
  return next === undefined || count === 0 ? undefined : Math.max(0, Math.min(next, count - 1))
}
