/*
 * Months of runs, in UTC, written `2026-08`. Ids are of version 7: they begin with the milliseconds at which they were made, so the
 * runs of a month are a range of ids.
 */

export const monthAt = (at: Date): string => at.toISOString().slice(0, 7)

/** The month after this one, or `by` months after it. */
export const monthAfter = (month: string, by = 1): string => {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return monthAt(new Date(Date.UTC(year, number - 1 + by)))
}

/** The month of a run by its id; undefined for an id that does not have its time. */
export const monthOfRun = (id: string): string | undefined =>
  id[14] === '7' ? monthAt(new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))) : undefined

/** The ids of a month's runs: from the first of these to before the second. */
export const idsOfMonth = (month: string): { from: string; to: string } => ({
  from: lowestId(month),
  to: lowestId(monthAfter(month)),
})

const lowestId = (month: string): string => {
  const digits = Date.parse(`${month}-01T00:00:00Z`).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`
}
