import { setTimeout as wait } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import type { Log } from '#log.ts'
import { databaseTrouble } from '../database-trouble.ts'
import type { Seam } from '../pool.ts'
import { sessionSettings } from '../session-settings.ts'
import type { RowSource } from './claim-jobs.ts'
import { queryOf, rowsOf } from './statement.ts'
import { jobsChannel } from './wake-others.ts'

export type QueueSession = RowSource & {
  /** Ends it within a second, even if the database does not answer. */
  close(): Promise<void>
}

export type QueueSessionOptions = {
  databaseUrl: string
  log: Log
  /** Called before and after every statement, as in the pool. */
  seam?: Seam
}

/** The session's name in the server's list of sessions. */
export const sessionName = 'svc queue'

/**
 * A claim takes a few milliseconds; a server that takes longer than this, or is silent for half as long again, is treated as
 * gone.
 */
const statementMs = 10_000

/**
 * The connection of one worker: on it the worker takes its rows and hears what others queue (`onNews` gets the sender's id).
 * It connects when first used, and after a loss when next used: a worker with room uses it each second.
 *
 * Not from the pool, for speed: a row is picked up in half the time. The driver alone takes 0.05 ms a statement and slonik
 * 0.1, and a claim is planned only once here; lists with optional filters need a plan for each.
 */
export const openQueueSession = (options: QueueSessionOptions, onNews: (worker: string) => void): QueueSession => {
  const { seam } = options
  let current: Promise<Client> | undefined
  let isClosed = false

  const connected = (): Promise<Client> => {
    if (isClosed) return Promise.reject(new Error('the session of the queue is closed'))
    if (current) return current
    const lost = (): void => {
      if (current === opening) current = undefined
    }
    const opening = connect(options, onNews, lost)
    opening.catch(lost)
    current = opening
    return opening
  }

  /** A connection that gave no answer would give it to the next question, if at all. */
  const drop = (client: Client): void => {
    current = undefined
    void end(client)
  }

  const rows: RowSource['rows'] = async (statement, values) => {
    const client = await connected()
    seam?.(`before ${statement.text}`, values)
    const answer = await client.query(queryOf(statement, values)).catch((error) => {
      if (!(error instanceof DatabaseError) || isStandby(error)) drop(client)
      throw error
    })
    seam?.(`after ${statement.text}`)
    return rowsOf(statement, answer)
  }

  return {
    rows,
    close: async () => {
      isClosed = true
      const client = await current?.catch(() => undefined)
      if (client) await end(client)
    },
  }
}

/**
 * Planned once, so without regard to how many rows there are at that moment: by the indexes made for it, in their order. An
 * empty table would be planned as a whole read, and that plan would stay once the table is full.
 */
const plannedOnce = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off', enable_bitmapscan: 'off' }

/**
 * A claim does not wait for the disk: one that a crash of the database loses leaves its row queued, to be handled again, though its first
 * handler may be at work yet, and its attempt is not counted. What a handler commits takes the claim to the disk before it; those that
 * write to the code host commit that they are about to (content-writes.ts) or hold a row until they have.
 */
const unhurried = { synchronous_commit: 'off' }

const settings = sessionSettings({ statement_timeout: `${statementMs}ms`, ...plannedOnce, ...unhurried })

const connect = async (
  { databaseUrl, log }: QueueSessionOptions,
  onNews: (worker: string) => void,
  onLost: () => void,
): Promise<Client> => {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: sessionName,
    keepAlive: true,
    connectionTimeoutMillis: statementMs,
    query_timeout: statementMs * 1.5,
  })
  client.on('error', (error) => {
    log.debug({ err: error }, 'the connection of the queue reported an error')
    onLost()
  })
  client.on('end', onLost)
  client.on('notification', ({ payload }) => onNews(payload ?? ''))
  await client.connect()
  try {
    await client.query(`${settings}; listen ${jobsChannel}`)
  } catch (error) {
    await end(client)
    throw error
  }
  return client
}

/** After a fail-over the next connection may lead to the server that takes writes; this one never will. */
const isStandby = (error: unknown): boolean => databaseTrouble(error) === 'read-only'

/** If the connection is dead, its end never resolves either. */
const end = (client: Client): Promise<unknown> =>
  Promise.race([client.end().catch(() => {}), wait(1000, undefined, { ref: false })])
