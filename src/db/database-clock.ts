import type { Clock } from '#clock.ts'
import type { Log } from '#log.ts'
import { timeOfDatabase } from './moment.ts'
import type { Reader } from './sql.ts'

/** The time by the database, which all instances share. */
export type DatabaseClock = Clock & {
  /** How far this machine's clock is ahead of the database's; negative if it is behind. */
  aheadMs(): number
  stop(): void
}

export type DatabaseClockOptions = {
  db: Reader
  log: Log
  /** The clock of this machine, which may be wrong. */
  machine: Clock
  /** Called with each measurement of `aheadMs`. */
  onMeasured?: (aheadMs: number) => void
  everyMs?: number
}

/** An instance whose clock is further off is not ready: logs, tokens and the code host's limits go by it. */
export const mostAheadMs = 5000

/** The database's time at a moment of this process, known to half of the time that the question took. */
type Measurement = { at: number; since: number; uncertainMs: number }

/** Below this, two measurements agree: the clock must not jump with each of them. */
const jitterMs = 20

/**
 * Measures the database's clock, at once and again each `everyMs`, and goes on from there by the process's monotonic time: a
 * machine whose clock is wrong, or is set while the process runs, has the same time as the others. Rejects if the database
 * does not answer the first time; later the last measurement stays.
 */
export const followDatabase = async (options: DatabaseClockOptions): Promise<DatabaseClock> => {
  const { db, log, machine, everyMs = 10_000 } = options
  let known = await measure(db)
  let wasOff = false
  const now = (): number => known.at + (performance.now() - known.since)
  const aheadMs = (): number => +machine.now() - now()
  const tell = (): void => {
    const isOff = Math.abs(aheadMs()) > mostAheadMs
    if (isOff !== wasOff) {
      const text = isOff ? 'the clock of this machine is wrong' : 'the clock of this machine is right again'
      log[isOff ? 'warn' : 'info']({ ahead_seconds: seconds(aheadMs()) }, `${text}, by the database's`)
    }
    wasOff = isOff
    options.onMeasured?.(aheadMs())
  }
  const look = async (): Promise<void> => {
    const next = await measure(db)
    const differs = Math.abs(next.at - (known.at + (next.since - known.since)))
    if (differs > Math.max(jitterMs, next.uncertainMs)) known = next
    tell()
  }
  log.info({ ahead_seconds: seconds(aheadMs()) }, "the clock of this machine was compared with the database's")
  tell()
  const looking = setInterval(
    () => void look().catch((error) => log.debug({ err: error }, "the database's clock cannot be read")),
    everyMs,
  ).unref()
  return { now: () => new Date(now()), aheadMs, stop: () => clearInterval(looking) }
}

const seconds = (ms: number): number => Math.round(ms) / 1000

const tries = 3

/** The quickest answer of three is the most exact: the first may have opened the connection. */
const measure = async (db: Reader): Promise<Measurement> => {
  let best = await measureOnce(db)
  for (let more = 1; more < tries; more += 1) {
    const next = await measureOnce(db)
    if (next.uncertainMs < best.uncertainMs) best = next
  }
  return best
}

const measureOnce = async (db: Reader): Promise<Measurement> => {
  const asked = performance.now()
  const at = +(await timeOfDatabase(db))
  const uncertainMs = (performance.now() - asked) / 2
  return { at, since: asked + uncertainMs, uncertainMs }
}
