import { z } from 'zod'
import { nothing, type Pool, type Reader, sql, type Tx } from '../sql.ts'
import { movedTable, saysWhose, type TableName } from './moved-tables.ts'
import { refusalOf } from './refused-rows.ts'

/** Runs `work` once, in one transaction: what it reads from a file cannot be read again. */
export const allOrNothing = <T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> => pool.transaction(work, 0)

/**
 * Writes rows of a table, as moved-rows.ts read them, for an installation that may have another id than it had; those of another
 * one are left out. Returns how many were written. Rejects with RefusedRows if they cannot be.
 */
export type PutRows = (table: TableName, rows: readonly string[]) => Promise<number>

export const createPutRows = (tx: Tx, { from, to }: { from: number; to: number }): PutRows => {
  const columnsOf = new Map<TableName, readonly string[]>()
  return async (table, rows) => {
    const names = columnsOf.get(table) ?? (await writtenColumns(tx, table))
    columnsOf.set(table, names)
    const values = names.map((name) =>
      name === 'installation_id' ? sql.fragment`${to}::int8` : sql.fragment`t.${sql.identifier([name])}`,
    )
    const columns = names.map((name) => sql.identifier([name]))
    const place = sql.identifier([table])
    const written = tx.query(sql.type(nothing)`
      insert into ${place} (${sql.join(columns, sql.fragment`, `)}) overriding system value
      select ${sql.join(values, sql.fragment`, `)} from jsonb_populate_recordset(null::${place}, ${`[${rows.join(',')}]`}::jsonb) t
      where ${saysWhose(table) ? sql.fragment`t.installation_id = ${from}` : sql.fragment`true`}
      ${movedTable(table).mayBeThere ? sql.fragment`on conflict do nothing` : sql.fragment``}`)
    const { rowCount } = await written.catch((error) => {
      throw refusalOf(table, error)
    })
    return movedTable(table).mayBeThere ? rows.length : rowCount
  }
}

const NameRow = z.object({ name: z.string() })

/** All but those that Postgres computes, or numbers. */
const writtenColumns = (db: Reader, table: TableName): Promise<readonly string[]> =>
  db.anyFirst(sql.type(NameRow)`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname <> ${movedTable(table).numberedThere ?? ''} order by attnum`)

/** Numbers that rows have from a sequence, which all installations of a service share. */
export const numbered = [
  { table: 'audit', column: 'id', sequence: 'audit_id_seq' },
  { table: 'journal', column: 'entry', sequence: 'journal_entries' },
  { table: 'lock_journal', column: 'entry', sequence: 'journal_entries' },
] as const

/**
 * As much further a sequence is set than the greatest number that came along: others draw numbers in the moment between reading
 * and setting it, and it must not be set back.
 */
const ahead = 1_000_000

/** Lets the numbers that come be greater than those that came along. They need not be whole: nothing counts by them. */
export const advanceNumbers = async (tx: Tx, installationId: number): Promise<void> => {
  for (const { table, column, sequence } of numbered)
    await tx.query(sql.type(nothing)`
      select setval(${sequence}::regclass, m.greatest + ${ahead}::int8) from (
        select max(${sql.identifier([column])}) as greatest from ${sql.identifier([table])}
        where installation_id = ${installationId}) m
      where m.greatest >= coalesce(pg_sequence_last_value(${sequence}::regclass), 0)`)
}
