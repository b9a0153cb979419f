import { limits } from '#domain/limits.ts'
import { type FragmentSqlToken, sql } from '../sql.ts'

/** Of what an overview shows, and of pages, with the one row more that shows that there is a next. */
const usual = [limits.overviewRuns, limits.overviewRuns + 1, limits.pageSize + 1, limits.pageSizeMax + 1]

/**
 * How many rows a list reads, as numbers in its statement's text where the page is of a usual size. Where Postgres does not know the number
 * it takes a tenth of all rows for wanted: a plan for each call then looks better than one for all, and is made at each call. That took 1 to 2
 * of a page's 2.5 to 4 ms, over a long history where it did not happen over a short one. Another size stays a parameter: as a text of
 * its own each would be one more statement to keep prepared.
 *
 * For lists that were measured so. With one plan for all, the runs of a stack took 0.5 s at a million runs, and 6 ms with one for each call.
 */
export const rowsOfPage = (limit: number, rows = limit): FragmentSqlToken =>
  usual.includes(limit) ? sql.fragment`${sql.literalValue(String(rows))}` : sql.fragment`${rows}`
