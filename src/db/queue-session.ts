import { setTimeout as wait } from 'node:timers/promises'
import { Client, DatabaseError, types } from 'pg'
import type { QueryResultRow } from 'slonik'
import type { Log } from '#log.ts'
import { checkedRow, rowTypes } from './row-types.ts'
import type { Reader, RowSource } from './sql.ts'
import { createStatementNames } from './statement-names.ts'
import { jobsChannel } from './wake-others.ts'

export type QueueSession = RowSource & {
  /** Ends it: within a second, also where the database does not answer. */
  close(): Promise<void>
}

export type QueueSessionOptions = {
  databaseUrl: string
  log: Log
  /** Told around every statement, as the pool does. */
  seam?: (step: string) => void
}

/** As the server's list of sessions has it. */
export const sessionName = 'svc queue'

/** A claim takes a few; a server that takes longer than this, or says nothing for half as long again, is as good as gone. */
const statementMs = 10_000

/**
 * The connection of one worker, on which it takes its rows and hears of what others queue (`onNews` is told who says so). It
 * connects when it is first
 * asked, and after it was lost when it is asked next: a worker that has room asks each second.
 *
 * Not one of the pool, for time: a row is picked up in half of it. The driver alone takes 0.05 ms a statement and slonik
 * 0.1, and a claim is planned once here; lists with optional filters need a plan for each.
 */
export const openQueueSession = (options: QueueSessionOptions, onNews: (worker: string) => void): QueueSession => {
  const { seam } = options
  const nameOf = createStatementNames()
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

  /** One that no answer came from will answer the next question with it, if at all. */
  const drop = (client: Client): void => {
    current = undefined
    void end(client)
  }

  const any: Reader['any'] = async (query) => {
    const client = await connected()
    seam?.(`before ${query.sql}`)
    const name = nameOf(query.sql)
    const statement = { text: textOf(query.sql), values: [...query.values], ...(name === undefined ? {} : { name }) }
    const { rows } = await client.query<QueryResultRow>(statement).catch((error) => {
      if (!(error instanceof DatabaseError)) drop(client)
      throw error
    })
    seam?.(`after ${query.sql}`)
    return rows.map((row) => checkedRow(query, row)) as never
  }

  return {
    any,
    close: async () => {
      isClosed = true
      const client = await current?.catch(() => undefined)
      if (client) await end(client)
    },
  }
}

/** Slonik numbers the values of a statement in a way of its own until it sends it. */
const textOf = (text: string): string => text.replaceAll('$slonik_', '$')

/**
 * Planned once, so without regard to how many rows there are at that moment: by the indexes that are made for it, in their
 * order. An empty table is read as a whole, and that plan would stay when it is full.
 */
const settings = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off'

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
    statement_timeout: statementMs,
    query_timeout: statementMs * 1.5,
    types: { getTypeParser },
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

const parsers = new Map(rowTypes.map(({ oid, parse }) => [oid, parse]))

const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  parsers.get(oid) ?? types.getTypeParser(oid, format as 'text')

/** A connection that leads nowhere does not end either. */
const end = (client: Client): Promise<unknown> =>
  Promise.race([client.end().catch(() => {}), wait(1000, undefined, { ref: false })])
