import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import type { Log } from '#log.ts'

/** Any number: the key of the advisory lock that the leader holds. */
const lockKey = 7_303_016

export type Leadership = { stop(): Promise<void> }

export type LeadershipOptions = {
  /** Of the database. */
  url: string
  log: Log
  /** Told once this instance leads, and once it does no more. */
  onChange: (leads: boolean) => void
  /** How often the others try, and the leader makes sure that its connection stands. */
  everyMs?: number
}

/**
 * Makes this instance the leader as soon as no other is: whoever holds an advisory lock of the session, which Postgres lets go
 * when the session ends, however that comes about. On a connection of its own, since a pool hands out any of its sessions.
 */
export const seekLeadership = ({ url, log, onChange, everyMs = 5000 }: LeadershipOptions): Leadership => {
  const stopped = new AbortController()
  const pause = (): Promise<unknown> => wait(everyMs, undefined, { signal: stopped.signal }).catch(() => {})

  /** One session: tries until it has the lock, then holds it until the connection is lost. */
  const session = async (): Promise<void> => {
    // a query without an answer counts as a lost connection: the other end may be gone without a word
    const client = new Client({
      connectionString: url,
      query_timeout: everyMs * 2,
      connectionTimeoutMillis: everyMs * 2,
    })
    client.on('error', (error) => log.debug({ err: error }, 'the connection of the leader reported an error'))
    let leads = false
    try {
      await client.connect()
      while (!stopped.signal.aborted) {
        if (leads) await client.query('select 1')
        else {
          const { rows } = await client.query<{ leads: boolean }>('select pg_try_advisory_lock($1) as leads', [lockKey])
          leads = rows[0]?.leads === true
          if (leads) onChange(true)
        }
        await pause()
      }
    } finally {
      if (leads) onChange(false)
      await client.end().catch(() => {})
    }
  }

  const loop = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await session().catch((error) => log.warn({ err: error }, 'the session that seeks to lead was lost'))
      await pause()
    }
  }
  const done = loop()
  return {
    stop: () => {
      stopped.abort()
      return done
    },
  }
}
