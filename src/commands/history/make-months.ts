import { databaseTrouble } from '#db/database-trouble.ts'
import { type HistoryTable, historyTableNames } from '#db/history/history-tables.ts'
import { makePartition, strayRows } from '#db/history/partitions.ts'
import { monthAfter, monthAt, monthOfRun } from '#domain/month.ts'
import type { Deps } from '../deps.ts'

export type MonthsDeps = Pick<Deps, 'pool' | 'clock' | 'log' | 'pause'> & { signal: AbortSignal }

/** After this one: a service that stands still for a quarter of a year makes them when it starts again. */
const monthsAhead = 3

/** Each waits half a second at most for a table in use; the next comes an hour later. */
const attempts = 5
const pauseMs = 2000

/**
 * Makes the partitions of this month and of those that come, and of any month whose rows are in the default partition, because
 * nobody made it in time. Done again, or by several instances at once, it makes each once.
 */
export const makeMonths = async (deps: MonthsDeps): Promise<void> => {
  const { pool, clock, log } = deps
  const now = monthAt(clock.now())
  for (let ahead = 0; ahead <= monthsAhead; ahead += 1) await makeMonth(deps, monthAfter(now, ahead))
  // rows of a month move together, so each look finds another month
  for (let last: string | undefined; ; ) {
    const { rows, first } = await strayRows(pool)
    const month = first === null ? undefined : monthOfRun(first)
    if (month === undefined || month === last) return
    last = month
    log.warn({ month, rows }, 'rows are in no month: its partitions were not made in time, and are made now')
    await makeMonth(deps, month)
  }
}

const makeMonth = async (deps: MonthsDeps, month: string): Promise<void> => {
  for (const table of historyTableNames) await makeOne(deps, table, month)
}

const makeOne = async ({ pool, log, pause, signal }: MonthsDeps, table: HistoryTable, month: string): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted()
    try {
      const moved = await makePartition(pool, table, month)
      if (moved !== undefined) log.info({ table, month, moved }, 'made the partition of a month')
      return
    } catch (error) {
      if (databaseTrouble(error) !== 'held') throw error
      if (attempt < attempts) {
        await pause(pauseMs)
        continue
      }
      log.warn({ err: error, table, month }, 'the partition of a month could not be made yet: the table is in use')
      return
    }
  }
}
