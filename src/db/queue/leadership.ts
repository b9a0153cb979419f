import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import type { Log } from '#log.ts'
import { advisoryLocks } from '../advisory-locks.ts'

export type Leadership = { stop(): Promise<void> }

export type LeadershipOptions = {
  /** Of the database. */
  url: string
  log: Log
  /** Called once when this instance begins to lead, and once when it stops. */
  onChange: (leads: boolean) => void
  /** How often other instances try, and how often the leader checks its connection; milliseconds. */
  everyMs?: number
}

/**
 * Makes this instance the leader as soon as no other is. The leader holds an advisory lock of its session; Postgres frees it
 * when the session ends, for whatever reason. Uses its own connection, since a pool hands out any of its sessions.
 *
 * A leader that is cut off knows it before another leads: it asks each `everyMs` and waits twice as long for the answer, while
 * Postgres ends its session after five times that without a question. Without that limit, a machine gone from the network
 * would keep the lock for the two hours of TCP's keep-alive, and a hung process for ever.
 */
export const seekLeadership = ({ url, log, onChange, everyMs = 2000 }: LeadershipOptions): Leadership => {
  const stopped = new AbortController()
  const pause = (until: AbortSignal): Promise<unknown> => wait(everyMs, undefined, { signal: until }).catch(() => {})

  /** An unreachable database is reported once. */
  let isTold = false

  /** One session: tries until it has the lock, then holds it until the connection is lost. */
  const session = async (): Promise<void> => {
    const client = new Client({
      connectionString: url,
      query_timeout: everyMs * 2,
      connectionTimeoutMillis: connectMs,
    })
    const lost = new AbortController()
    client.on('error', (error) => {
      log.debug({ err: error }, 'the connection of the leader reported an error')
      lost.abort()
    })
    const over = AbortSignal.any([stopped.signal, lost.signal])
    let leads = false
    try {
      await client.connect()
      isTold = false
      await endWhenIdle(client, everyMs * 5)
      while (!over.aborted) {
        if (leads) await client.query('select 1')
        else {
          leads = await tryToLead(client)
          if (leads) onChange(true)
        }
        await pause(over)
      }
    } finally {
      if (leads) onChange(false)
      // if the connection is dead, its end never resolves either
      await Promise.race([client.end().catch(() => {}), wait(everyMs, undefined, { ref: false })])
    }
  }

  const loop = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await session().catch((error) => {
        log[isTold ? 'debug' : 'warn']({ err: error }, 'the session for the leader lock was lost')
        isTold = true
      })
      await pause(stopped.signal)
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

/** However short `everyMs` is: a server that is slow to let sessions in would only be slower if each gave up at once and tried anew. */
const connectMs = 4000

/** As a query, since a Postgres before 14 does not know the setting: TCP's keep-alive must do there. */
const endWhenIdle = async (client: Client, ms: number): Promise<void> => {
  await client.query(`select set_config(name, $1, false) from pg_settings where name = 'idle_session_timeout'`, [
    String(ms),
  ])
}

const tryToLead = async (client: Client): Promise<boolean> => {
  const { rows } = await client.query<{ leads: boolean }>('select pg_try_advisory_lock($1) as leads', [
    advisoryLocks.leader,
  ])
  return rows[0]?.leads === true
}
