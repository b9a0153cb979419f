import { z } from 'zod'
import { type FragmentSqlToken, type Reader, sql } from '../sql.ts'
import { ofRun } from '../tenant.ts'
import { type HistoryTable, historyTableNames, historyTables, partitionOf } from './history-tables.ts'

/** Some megabytes at most: a row with a plan text is a quarter of one, and few have any once there is a bucket. */
const linesAtATime = 500

/** `last` is where the next lines begin: the last row's columns of the order. */
const Lines = z.object({ text: z.string().nullable(), lines: z.number(), last: z.array(z.string()).nullable() })

/** How many rows there are of each table. */
export type RowCounts = Record<HistoryTable, number>

/** A row of a run as Postgres spells it, with the name of its table. */
export type RowText = { table: string; row: string }

/**
 * All rows of a run, a line of JSON each: `{"table":"journal","row":{…}}`, whose fields are the table's columns as Postgres spells
 * them. The text is Postgres' own, so no number or time is read and written again on the way. A page begins where the last one ended:
 * by a count from the beginning, Postgres spells every row before it again, plan texts too.
 */
export async function* linesOfRun(db: Reader, runId: string, counts: RowCounts): AsyncGenerator<string> {
  for (const table of historyTableNames) {
    const order = orderOf(table)
    for (let after: readonly string[] | null = []; after !== null; ) {
      const page: z.infer<typeof Lines> = await db.one(sql.type(Lines)`
        select string_agg(line, '') as text, count(*) as lines, (array_agg(place))[${linesAtATime}::int] as last from (
          select ${`{"table":"${table}","row":`}::text || to_jsonb(t)::text || E'}\n' as line, ${order.place} as place
          from ${sql.identifier([table])} t
          where installation_id = ${ofRun(db, runId)} and run_id = ${runId} and ${order.after(after)}
          order by ${order.columns} limit ${linesAtATime}) l`)
      counts[table] += page.lines
      if (page.text !== null) yield page.text
      after = page.last
    }
  }
}

const list = (fragments: readonly FragmentSqlToken[]): FragmentSqlToken =>
  sql.fragment`${sql.join(fragments, sql.fragment`, `)}`

/** The order of a table's rows: its columns, a row's place in it as texts, and what comes after a place (none: all). */
const orderOf = (table: HistoryTable) => {
  const types: readonly (readonly [name: string, type: string])[] = Object.entries(historyTables[table])
  const columns = types.map(([name]) => sql.fragment`${sql.identifier([name])}`)
  const after = (place: readonly string[]): FragmentSqlToken => {
    if (place.length === 0) return sql.fragment`true`
    const values = types.map(([, type], index) => sql.fragment`${place[index] ?? null}::${sql.identifier([type])}`)
    return sql.fragment`(${list(columns)}) > (${list(values)})`
  }
  return {
    columns: list(columns),
    place: sql.fragment`jsonb_build_array(${list(columns.map((column) => sql.fragment`${column}::text`))})`,
    after,
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
