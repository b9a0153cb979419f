import { z } from 'zod'
import { idsOfMonth } from '#domain/month.ts'
import { advisoryLocks } from '../advisory-locks.ts'
import { type FragmentSqlToken, nothing, type Pool, type Reader, sql, type Tx } from '../sql.ts'
import { transact } from '../transact.ts'
import { type HistoryTable, historyTableNames, partitionOf } from './history-tables.ts'

/** A table in use is waited for as briefly as nobody notices, since whoever comes later waits behind us. */
export const waitForTables = async (tx: Tx): Promise<void> => {
  await tx.query(sql.type(nothing)`select set_config('lock_timeout', '500ms', true)`)
}

const ThereRow = z.object({ there: z.boolean() })

/** By the statement's own snapshot: `to_regclass` may answer from what the session remembers of before it waited. */
const isThere = (tx: Tx, name: string): Promise<boolean> =>
  tx.oneFirst(sql.type(ThereRow)`
    select exists (select from pg_class where relname = ${name} and relnamespace = current_schema()::regnamespace) as there`)

/**
 * Makes the partition of a month, beside the table, and only then makes it one of the table's. Rows of the month that are in the
 * default partition by then, because nobody made it in time, move over meanwhile; whoever writes waits for that. Returns how many
 * did, undefined if the partition was there. Rejects, with nothing done, if the table is in use for longer than a moment.
 */
export const makePartition = (pool: Pool, table: HistoryTable, month: string): Promise<number | undefined> =>
  transact(pool, async (tx) => {
    const name = partitionOf(table, month)
    // nearly always it is there, and nobody is waited for
    if (await isThere(tx, name)) return undefined
    await waitForTables(tx)
    await tx.query(sql.type(nothing)`select pg_advisory_xact_lock(${advisoryLocks.months})`)
    if (await isThere(tx, name)) return undefined
    const [parent, partition] = [sql.identifier([table]), sql.identifier([name])]
    const others = sql.identifier([`${table}_default`])
    await tx.query(sql.type(nothing)`create table ${partition} (like ${parent} including all)`)
    // room for a row's next versions beside it
    if (table === 'run_stacks') await tx.query(sql.type(nothing)`alter table ${partition} set (fillfactor = 70)`)
    await tx.query(sql.type(nothing)`lock table ${others} in access exclusive mode`)
    const { rowCount } = await tx.query(sql.type(nothing)`
      with moved as (delete from ${others} where ${isOfMonth(month)} returning *) insert into ${partition} select * from moved`)
    const { from, to } = idsOfMonth(month)
    await tx.query(sql.type(nothing)`
      alter table ${parent} attach partition ${partition}
      for values from (${sql.literalValue(from)}) to (${sql.literalValue(to)})`)
    return rowCount
  })

/** By the range of its ids, as the partition is. */
export const isOfMonth = (month: string, column = sql.fragment`run_id`): FragmentSqlToken => {
  const { from, to } = idsOfMonth(month)
  return sql.fragment`(${column} >= ${from}::uuid and ${column} < ${to}::uuid)`
}

const NameRow = z.object({ name: z.string() })

/** The months that have partitions, the oldest first. */
export const monthsHere = async (db: Reader): Promise<string[]> => {
  const names = await db.anyFirst(sql.type(NameRow)`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'run_stacks'::regclass and c.relname ~ '^run_stacks_\\d{4}_\\d\\d$' order by c.relname`)
  return names.map((name) => name.slice(-7).replace('_', '-'))
}

/** As many are counted: more is no other news. */
const mostCounted = 10_000

const Stray = z.object({ rows: z.number(), first: z.string().nullable() })

/**
 * Rows whose run has a month, and which are in the default partition nevertheless: how many, and the first of their runs. Ids at
 * random are there for good.
 */
export const strayRows = (db: Reader): Promise<z.infer<typeof Stray>> =>
  db.one(sql.type(Stray)`
    select count(*) as rows, min(run_id::text) as first from (
      ${sql.join(
        historyTableNames.map(
          (table) => sql.fragment`(select run_id from ${sql.identifier([`${table}_default`])}
            where run_id >= ${earliest}::uuid and run_id < ${latest}::uuid and substr(run_id::text, 15, 1) = '7'
            order by run_id limit ${mostCounted})`,
        ),
        sql.fragment` union all `,
      )}) s`)

/** Between 2024 and 2100. */
const [earliest, latest] = [idsOfMonth('2024-01').from, idsOfMonth('2100-01').from]
