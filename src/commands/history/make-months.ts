import { databaseTrouble } from '#db/database-trouble.ts'
import { type HistoryTable, historyTableNames, partitionOf } from '#db/history/history-tables.ts'
import { makePartition, strayRows } from '#db/history/partitions.ts'
import { monthAfter, monthAt, monthOfRun } from '#domain/month.ts'
import type { Deps } from '../deps.ts'

export type MonthsDeps = Pick<Deps, 'pool' | 'clock' | 'log' | 'pause'> & { signal: AbortSignal }

/** After this one: a service that stands still for a quarter of a year makes them when it starts again. */
const monthsAhead = 3

/** Each waits half a second at most for a table in use. */
const attempts = 5
const pauseMs = 2000

/**
 * Makes the partitions of this month and of those that come, and of any month whose rows are in the default partition, because
 * nobody made it in time. Done again, or by several instances at once, it makes each once. Rejects at the end if a table was in use
 * all the time, so that the queue tries again, and shows it.
 */
export const makeMonths = async (deps: MonthsDeps): Promise<void> => {
  const { pool, clock, log } = deps
  const now = monthAt(clock.now())
  const held: string[] = []
  for (let ahead = 0; ahead <= monthsAhead; ahead += 1) held.push(...(await makeMonth(deps, monthAfter(now, ahead))))
  // rows of a month move together, so each look finds another month
  for (let last: string | undefined; ; ) {
    const { rows, first } = await strayRows(pool)
    const month = first === null ? undefined : monthOfRun(first)
    if (month === undefined || month === last) break
    last = month
    log.warn({ month, rows }, 'rows are in no month: its partitions were not made in time, and are made now')
    held.push(...(await makeMonth(deps, month)))
  }
  if (held.length > 0)
    throw new Error(`partitions could not be made yet, since their tables are in use: ${held.join(', ')}`)
}

/** Returns the partitions that could not be made. */
const makeMonth = async (deps: MonthsDeps, month: string): Promise<string[]> => {
  const held: string[] = []
  for (const table of historyTableNames) if (!(await makeOne(deps, table, month))) held.push(partitionOf(table, month))
  return held
}

const makeOne = async (
  { pool, log, pause, signal }: MonthsDeps,
  table: HistoryTable,
  month: string,
): Promise<boolean> => {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted()
    try {
      const moved = await makePartition(pool, table, month)
      if (moved !== undefined) log.info({ table, month, moved }, 'made the partition of a month')
      return true
    } catch (error) {
      if (databaseTrouble(error) !== 'held') throw error
      if (attempt === attempts) return false
    }
    await pause(pauseMs)
  }
}
