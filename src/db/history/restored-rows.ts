import { z } from 'zod'
import { advisoryLocks } from '../advisory-locks.ts'
import { createPool, type PoolOptions } from '../pool.ts'
import { nothing, type Pool, sql, type Tx } from '../sql.ts'
import { ofRun } from '../tenant.ts'
import { transact } from '../transact.ts'
import { type HistoryTable, historyTableNames } from './history-tables.ts'
import type { RowText } from './rows-of-run.ts'

/*
 * Rows of archived runs that somebody looks at, for an hour: in tables of the same names, in a schema of their own that comes first on
 * connections of their own. So every statement that reads a run reads these too, and no machine can take them for its own. The
 * tables are not in the write-ahead log and hold nothing that is not in the bucket; a migration drops them (migrate.ts), and the next
 * reader makes them anew.
 */

const keptFor = sql.fragment`interval '1 hour'`

const OwnPathRow = z.object({ own: z.string(), path: z.string() })

const nameOfSchema = async (pool: Pool): Promise<{ schema: string; path: string }> => {
  const { own, path } = await pool.one(sql.type(OwnPathRow)`
    select current_schema() as own, current_setting('search_path') as path`)
  return { schema: `${own}_restored`, path: `"${own}_restored", ${path}` }
}

export type RestoredRows = { open(): Promise<Pool>; stop(): Promise<void> }

/** Connections that see the restored rows in place of those of the tables; there are none before somebody asks for them. */
export const createRestoredRows = (url: string, pool: Pool, options: PoolOptions): RestoredRows => {
  // a promise: a page asks for several things at once, and all of them find this one
  let opening: Promise<Pool> | undefined
  const open = async (): Promise<Pool> => {
    const settings = { search_path: (await nameOfSchema(pool)).path }
    return createPool(url, { ...options, settings })
  }
  return {
    open: () => {
      opening ??= open().catch((error) => {
        opening = undefined
        throw error
      })
      return opening
    },
    stop: async () => (await opening)?.end(),
  }
}

/**
 * Puts rows of a run there, if they are not there: `read` fetches them, and what it returns goes through them, again if the transaction
 * runs again. Several at once do it once. They stay for an hour after somebody looked last.
 */
export const restoreRows = async (
  pool: Pool,
  runId: string,
  read: () => Promise<() => AsyncIterable<RowText>>,
): Promise<void> => {
  const { schema } = await nameOfSchema(pool)
  await transact(pool, (tx) => makeTables(tx, schema))
  const seen = await pool.query(sql.type(nothing)`
    update ${sql.identifier([schema, 'runs_restored'])} set at = now()
    where installation_id = ${ofRun(pool, runId)} and run_id = ${runId} and at > now() - ${keptFor}`)
  if (seen.rowCount > 0) return
  // outside the transaction: the bucket may take its time
  const rows = await read()
  await transact(pool, async (tx) => {
    await forgetOld(tx, schema)
    const { rowCount } = await tx.query(sql.type(nothing)`
      insert into ${sql.identifier([schema, 'runs_restored'])} (installation_id, run_id)
      values (${ofRun(tx, runId)}, ${runId}) on conflict do nothing`)
    if (rowCount === 0) return
    for await (const { table, rows: some } of portionsOfTables(rows())) await putRows(tx, schema, table, runId, some)
  })
}

/** Of one statement. */
const most = { rows: 500, characters: 1024 * 1024 }

type Portion = { table: HistoryTable; rows: string[] }

/** Rows of one table each. One that there is no more has none. */
async function* portionsOfTables(lines: AsyncIterable<RowText>): AsyncGenerator<Portion> {
  let portion: Portion | undefined
  let characters = 0
  for await (const { table: name, row } of lines) {
    const table = historyTableNames.find((one) => one === name)
    if (table === undefined) continue
    if (portion && (portion.table !== table || portion.rows.length === most.rows || characters >= most.characters)) {
      yield portion
      portion = undefined
    }
    if (!portion) {
      portion = { table, rows: [] }
      characters = 0
    }
    portion.rows.push(row)
    characters += row.length
  }
  if (portion) yield portion
}

const ThereRow = z.object({ there: z.boolean() })

const makeTables = async (tx: Tx, schema: string): Promise<void> => {
  const isThere = await tx.oneFirst(sql.type(ThereRow)`
    select to_regclass(${`"${schema}".runs_restored`}) is not null as there`)
  if (isThere) return
  await tx.query(sql.type(nothing)`select pg_advisory_xact_lock(${advisoryLocks.restoredTables})`)
  await tx.query(sql.type(nothing)`create schema if not exists ${sql.identifier([schema])}`)
  for (const table of historyTableNames) {
    await tx.query(sql.type(nothing)`
      create unlogged table if not exists ${sql.identifier([schema, table])} (like ${sql.identifier([table])}
        including defaults including indexes)`)
  }
  await tx.query(sql.type(nothing)`
    create unlogged table if not exists ${sql.identifier([schema, 'runs_restored'])} (
      installation_id int8, run_id uuid, at timestamptz not null default now(), primary key (installation_id, run_id))`)
}

const InstallationIdRunIdRow = z.object({ installation_id: z.number(), run_id: z.string() })

const forgetOld = async (tx: Tx, schema: string): Promise<void> => {
  const runs = await tx.any(sql.type(InstallationIdRunIdRow)`
    delete from ${sql.identifier([schema, 'runs_restored'])} where at <= now() - ${keptFor} returning installation_id, run_id`)
  if (runs.length === 0) return
  for (const table of historyTableNames) {
    await tx.query(sql.type(nothing)`
      delete from ${sql.identifier([schema, table])} t using ${sql.unnest(
        runs.map((run) => [run.installation_id, run.run_id]),
        ['int8', 'uuid'],
      )} as o(installation_id, run_id)
      where t.installation_id = o.installation_id and t.run_id = o.run_id`)
  }
}

const Columns = z.object({ name: z.string() })

/**
 * The columns that the rows have and the table has still: one that came later has its default, and one that went is left out. Whose
 * they are is asked of the run, which may have changed hands.
 */
const putRows = async (
  tx: Tx,
  schema: string,
  table: HistoryTable,
  runId: string,
  rows: readonly string[],
): Promise<void> => {
  const place = sql.identifier([schema, table])
  const names = await tx.anyFirst(sql.type(Columns)`
    select a.attname as name from pg_attribute a
    where a.attrelid = ${`"${schema}".${table}`}::regclass and a.attnum > 0 and not a.attisdropped
      and a.attname <> 'installation_id'
      and ${rows[0] ?? '{}'}::jsonb ? a.attname order by a.attnum`)
  const columns = sql.join(
    names.map((name) => sql.identifier([name])),
    sql.fragment`, `,
  )
  await tx.query(sql.type(nothing)`
    insert into ${place} (installation_id, ${columns}) select ${ofRun(tx, runId)}, ${columns}
    from jsonb_populate_recordset(null::${place}, ${`[${rows.join(',')}]`}::jsonb)`)
}
