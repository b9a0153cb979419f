import type { Log } from '#log.ts'
import { inTime } from '../in-time.ts'
import type { Pool } from '../sql.ts'
import { lagMs, type Sighting } from './lag.ts'
import { hasReached, type Lsn } from './lsn.ts'
import { placeOfPrimary, placeOfReplica } from './places.ts'

/** A server that follows the primary's log, as it was last seen. */
export type Replica = {
  /** Its connections, if it is in order and has what was written up to `since`. */
  readable(since: Lsn | undefined): Pool | undefined
  /** Whether it answered when it was looked at last, in order or not. */
  answers(): boolean
  /** A read failed there: it is left alone until it is seen in order again. */
  failed(error: unknown): void
  stop(): Promise<void>
}

export type ReplicaOptions = {
  primary: Pool
  replica: Pool
  log: Log
  /** Called after each look: `lagMs` is undefined if nothing is known. */
  onSeen?: (seen: { isReadable: boolean; lagMs: number | undefined }) => void
  everyMs?: number
}

/**
 * What a list shows may be this old. Replicas of one place are behind by some milliseconds; one that lags more is in trouble, and so
 * is one that does not say for as long how far it is: whose host stands still, or is cut off, closes no connection.
 */
const mostLagMs = 5000

/** As many looks as are needed to tell a lag of a minute. */
const sightingsKept = 60

/**
 * Looks at the replica, at once and again each second, and tells when it is left alone and when it is read again. Never
 * rejects: without a replica that is in order everything is read from the primary.
 */
export const followReplica = async (options: ReplicaOptions): Promise<Replica> => {
  const { primary, replica, log, onSeen, everyMs = 1000 } = options
  const sightings: Sighting[] = []
  let replayed: Lsn | undefined
  let trouble: string | undefined = 'it has not been seen yet'
  let wasReadable: boolean | undefined
  let isAnswering = false

  const tell = (lag: number | undefined): void => {
    const isReadable = trouble === undefined
    onSeen?.({ isReadable, lagMs: lag })
    if (isReadable === wasReadable) return
    wasReadable = isReadable
    if (isReadable) log.info('lists are read from the replica')
    else log.warn({ reason: trouble }, 'the replica is left alone: lists are read from the primary')
  }
  const placeThere = async () => {
    const place = await inTime(placeOfReplica(replica), mostLagMs).catch((error) => {
      isAnswering = false
      throw error
    })
    isAnswering = true
    return place
  }
  const seen = async (): Promise<number | undefined> => {
    const [ahead, behind] = [await placeOfPrimary(primary), await placeThere()]
    const now = performance.now()
    sightings.push({ at: now, lsn: ahead.lsn })
    if (sightings.length > sightingsKept) sightings.shift()
    replayed = behind.lsn ?? undefined
    if (replayed === undefined) {
      trouble = 'DATABASE_READ_URL names a server that follows no other'
      return undefined
    }
    if (ahead.cluster !== behind.cluster) {
      trouble = 'DATABASE_READ_URL names a replica of another server'
      return undefined
    }
    const lag = lagMs(sightings, replayed, now)
    trouble = lag > mostLagMs ? `it is behind by ${Math.round(lag / 1000)} s` : undefined
    return lag
  }
  const look = async (): Promise<void> => {
    const lag = await seen().catch((error) => {
      trouble = messageOf(error)
      return undefined
    })
    tell(lag)
  }
  await look()
  let looking = false
  const timer = setInterval(async () => {
    if (looking) return
    looking = true
    await look()
    looking = false
  }, everyMs).unref()
  return {
    readable: (since) => {
      if (trouble !== undefined || replayed === undefined) return undefined
      return since === undefined || hasReached(replayed, since) ? replica : undefined
    },
    answers: () => isAnswering,
    failed: (error) => {
      if (trouble !== undefined) return
      trouble = messageOf(error)
      tell(undefined)
    },
    stop: async () => {
      clearInterval(timer)
      await replica.end()
    },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
