import { z } from 'zod'
import { type Reader, sql } from '../sql.ts'
import { ofRun } from '../tenant.ts'
import { type HistoryTable, historyTableNames, historyTables, partitionOf } from './history-tables.ts'

/** Some megabytes at most: a row with a plan text is a quarter of one, and few have any once there is a bucket. */
const linesAtATime = 500

const Lines = z.object({ text: z.string().nullable(), lines: z.number() })

/** How many rows there are of each table. */
export type RowCounts = Record<HistoryTable, number>

/** A row of a run as Postgres spells it, with the name of its table. */
export type RowText = { table: string; row: string }

/**
 * All rows of a run, a line of JSON each: `{"table":"journal","row":{…}}`, whose fields are the table's columns as Postgres spells
 * them. The text is Postgres' own, so no number or time is read and written again on the way.
 */
export async function* linesOfRun(db: Reader, runId: string, counts: RowCounts): AsyncGenerator<string> {
  for (const table of historyTableNames) {
    const order = sql.join(
      historyTables[table].map((column) => sql.identifier([column])),
      sql.fragment`, `,
    )
    for (let from = 0; ; from += linesAtATime) {
      const { text, lines } = await db.one(sql.type(Lines)`
        select string_agg(line, '') as text, count(*) as lines from (
          select ${`{"table":"${table}","row":`}::text || to_jsonb(t)::text || E'}\n' as line
          from ${sql.identifier([table])} t where installation_id = ${ofRun(db, runId)} and run_id = ${runId}
          order by ${order} limit ${linesAtATime} offset ${from}) l`)
      counts[table] += lines
      if (text !== null) yield text
      if (lines < linesAtATime) break
    }
  }
}

export const noRows = (): RowCounts => ({ run_stacks: 0, results: 0, journal: 0, checks: 0, check_runs: 0 })

const RowsRow = z.object({ rows: z.number() })

/** How many rows the tables have of a month. */
export const countRows = async (db: Reader, month: string): Promise<RowCounts> => {
  const counts = noRows()
  for (const table of historyTableNames) {
    counts[table] = await db.oneFirst(sql.type(RowsRow)`
      select count(*) as rows from ${sql.identifier([partitionOf(table, month)])}`)
  }
  return counts
}

const LeftRow = z.object({ run_id: z.string() })

/** A run that a month has rows of, though it is none of ours, or its rows are in the bucket alone. */
export const runOfRowsLeft = async (db: Reader, month: string): Promise<string | undefined> => {
  for (const table of historyTableNames) {
    const [left] = await db.anyFirst(sql.type(LeftRow)`
      select run_id from ${sql.identifier([partitionOf(table, month)])} t
      where not exists (select from archived_runs a where a.run_id = t.run_id and not a.dropped) limit 1`)
    if (left !== undefined) return left
  }
  return undefined
}
