import { z } from 'zod'
import { nothing, type Pool, type Reader, sql } from '../sql.ts'
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
export const dropMonth = (pool: Pool, month: string): Promise<{ kept: number }> =>
  transact(pool, async (tx) => {
    await waitForTables(tx)
    const tables = sql.join(
      historyTableNames.map((table) => sql.identifier([table])),
      sql.fragment`, `,
    )
    await tx.query(sql.type(nothing)`lock table ${tables} in access exclusive mode`)
    const kept = await tx.oneFirst(sql.type(KeptRow)`
      select count(*) as kept from runs r left join archived_runs a on a.installation_id = r.installation_id and a.run_id = r.id
        and (a.rev = r.rev or a.dropped)
      where ${isOfMonth(month, sql.fragment`r.id`)} and a.run_id is null`)
    if (kept > 0) return { kept }
    for (const table of historyTableNames) {
      const partition = sql.identifier([partitionOf(table, month)])
      await tx.query(sql.type(nothing)`alter table ${sql.identifier([table])} detach partition ${partition}`)
      await tx.query(sql.type(nothing)`drop table ${partition}`)
    }
    await tx.query(sql.type(nothing)`update archived_runs set dropped = true where ${isOfMonth(month)} and not dropped`)
    await tx.query(sql.type(nothing)`update archived_months set dropped_at = now() where month = ${month}`)
    return { kept }
  })
