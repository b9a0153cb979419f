import { databaseTrouble } from '#db/database-trouble.ts'
import { monthsHere } from '#db/history/partitions.ts'
import { reasonsToWait } from '#db/history/reasons-to-wait.ts'
import { limits } from '#domain/limits.ts'
import { monthAfter, monthAt } from '#domain/month.ts'
import { type ArchiveDeps, archiveMonth } from './archive-month.ts'

/** The months that are over for as long as history is kept, the oldest first. */
export const monthsDue = (here: readonly string[], now: Date, keptMs: number): string[] => {
  const kept = monthAt(new Date(Math.max(0, +now - keptMs)))
  return here.filter((month) => monthAfter(month) <= kept)
}

/**
 * Moves months that are older than history is kept to the bucket, one after another, the oldest first: what decides whether a plan may
 * be applied looks at later runs, never at earlier ones. A month that may still be needed waits, and those after it. One that only has
 * rows too many holds up no other: all its runs are noted by then, and nothing is applied by a plan that is. True if something is
 * left that `mostMs` did not suffice for.
 */
export const archiveHistory = async (deps: ArchiveDeps, keptMs: number, mostMs: number): Promise<boolean> => {
  const { pool, clock, log, signal } = deps
  const began = performance.now()
  for (const month of monthsDue(await monthsHere(pool), clock.now(), keptMs)) {
    signal.throwIfAborted()
    const gone = new Date(+clock.now() - limits.outOfSightHours * 3_600_000)
    const reasons = await reasonsToWait(pool, { month, gone })
    if (reasons.length > 0) {
      log.info({ month, reasons }, 'a month of history waits to be archived')
      return false
    }
    const outcome = await archiveMonth(deps, month, () => performance.now() - began > mostMs).catch((error) => {
      if (databaseTrouble(error) !== 'held') throw error
      log.info({ month, err: error }, 'a month is archived, and is dropped later: its tables are in use')
      return 'goes on' as const
    })
    if (outcome === 'goes on') return true
  }
  return false
}
