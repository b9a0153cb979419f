import { z } from 'zod'
import { idsOfMonth } from '#domain/month.ts'
import { monthsHere } from '../history/partitions.ts'
import { nothing, type Pool, type Reader, sql, type Tx } from '../sql.ts'
import { isMoved, movedTable, type TableName } from './moved-tables.ts'

const Line = z.object({ line: z.string() })

/** By how many rows come at a time, which this statement takes as no parameter. Those of most tables are some hundred bytes. */
const fetches = {
  2: sql.fragment`fetch forward 2 from moved`,
  20: sql.fragment`fetch forward 20 from moved`,
  50: sql.fragment`fetch forward 50 from moved`,
  1000: sql.fragment`fetch forward 1000 from moved`,
} as const

/**
 * Reads with `work` what the database holds at one moment, for as long as it takes. Others are not held up; what they write meanwhile is
 * not seen.
 */
export const atOneMoment = <T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> =>
  // not again after a failure: what was read has gone on to a file
  pool.transaction(async (tx) => {
    await tx.query(sql.type(nothing)`set transaction isolation level repeatable read, read only`)
    return await work(tx)
  }, 0)

/**
 * The rows of a table that belong to an installation, in portions of lines of JSON: `{"table":"runs","row":{…}}`, whose fields are the
 * columns as Postgres spells them.
 */
export async function* movedRows(tx: Tx, table: TableName, installationId: number): AsyncGenerator<readonly string[]> {
  const { order, atATime = 1000 } = movedTable(table)
  await tx.query(sql.type(nothing)`
    declare moved no scroll cursor for
    select ${sql.literalValue(`{"table":"${table}","row":`)} || to_jsonb(t)::text || '}' as line
    from ${sql.identifier([table])} t where ${isMoved(table, installationId)}
    ${order ? sql.fragment`order by ${order}` : sql.fragment``}`)
  for (;;) {
    const lines = await tx.any(sql.type(Line)`${fetches[atATime]}`)
    if (lines.length > 0) yield lines.map(({ line }) => line)
    if (lines.length < atATime) break
  }
  await tx.query(sql.type(nothing)`close moved`)
}

/** The months of runs whose rows are in partitions. */
export const monthsOf = async (tx: Reader, installationId: number): Promise<string[]> => {
  const months: string[] = []
  for (const month of await monthsHere(tx)) {
    const { from, to } = idsOfMonth(month)
    const has = await tx.exists(sql.type(nothing)`
      select from runs where installation_id = ${installationId} and id >= ${from}::uuid and id < ${to}::uuid`)
    if (has) months.push(month)
  }
  return months
}
