import { z } from 'zod'
import { nothing, type Pool, type Reader, sql, type Tx } from '../sql.ts'
import { transact } from '../transact.ts'
import { historyTableNames, partitionOf } from './history-tables.ts'
import { isOfMonth, waitForTables } from './partitions.ts'

const ArchivedMonth = z.object({ month: z.string(), index_url: z.string().nullable() })

/** A month that is on its way to the bucket: as far as it came. */
export const beginMonth = (db: Reader, month: string): Promise<z.infer<typeof ArchivedMonth>> =>
  db.one(sql.type(ArchivedMonth)`
    insert into archived_months (month) values (${month}) on conflict (month) do update set month = excluded.month
    returning month, index_url`)

export const noteIndex = async (db: Reader, month: string, url: string): Promise<void> => {
  await db.query(sql.type(nothing)`update archived_months set index_url = ${url} where month = ${month}`)
}

const KeptRow = z.object({ kept: z.number() })

/**
 * Takes the partitions of a month away, if every run of it is in the bucket as it is now. `kept` says how many are not: these have
 * changed. Waits for the tables only for a moment, and rejects, with nothing done, if they are in use for longer.
 */
export const dropMonth = async (pool: Pool, month: string): Promise<{ kept: number }> => {
  const kept = await transact(pool, (tx) => dropNoted(tx, month)).catch((error) => {
    if (error instanceof RunsChanged) return error.runs
    throw error
  })
  return { kept }
}

/** Takes back what was done, too. */
class RunsChanged extends Error {
  readonly runs: number
  constructor(runs: number) {
    super(`${runs} runs have changed`)
    this.runs = runs
  }
}

const dropNoted = async (tx: Tx, month: string): Promise<number> => {
  await waitForTables(tx)
  // before anybody waits for us: 400,000 runs take some 5 s, and nobody sees it before the tables are gone
  await tx.query(sql.type(nothing)`
    update archived_runs a set dropped = true from runs r
    where ${isOfMonth(month, sql.fragment`a.run_id`)} and not a.dropped
      and r.installation_id = a.installation_id and r.id = a.run_id and r.rev = a.rev`)
  const tables = sql.join(
    historyTableNames.map((table) => sql.identifier([table])),
    sql.fragment`, `,
  )
  await tx.query(sql.type(nothing)`lock table ${tables} in access exclusive mode`)
  const kept = await tx.oneFirst(sql.type(KeptRow)`
    select count(*) as kept from runs r left join archived_runs a on a.installation_id = r.installation_id and a.run_id = r.id
      -- of those that were dropped earlier nothing is here; those that this transaction noted must not have changed before the lock
      and a.dropped and (a.rev = r.rev or a.xmin <> pg_current_xact_id()::xid)
    where ${isOfMonth(month, sql.fragment`r.id`)} and a.run_id is null`)
  if (kept > 0) throw new RunsChanged(kept)
  for (const table of historyTableNames) {
    const partition = sql.identifier([partitionOf(table, month)])
    await tx.query(sql.type(nothing)`alter table ${sql.identifier([table])} detach partition ${partition}`)
    await tx.query(sql.type(nothing)`drop table ${partition}`)
  }
  await tx.query(sql.type(nothing)`update archived_months set dropped_at = now() where month = ${month}`)
  return 0
}
