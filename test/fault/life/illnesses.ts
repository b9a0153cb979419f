import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import type { Happening } from './happenings.ts'
import type { Life } from './life.ts'

/** The name of our own sessions, which look on and are left alone. */
export const onlooker = 'life'

const sessions = `from pg_stat_activity where datname = $1 and application_name <> '${onlooker}' and pid <> pg_backend_pid()`

/** A session of somebody else, at the database or beside it, for as long as `work` takes. */
const asStranger = async (url: string, work: (client: Client, database: string) => Promise<unknown>): Promise<void> => {
  const client = new Client({ connectionString: url, application_name: onlooker })
  await client.connect()
  try {
    await work(client, new URL(url).pathname.slice(1))
  } finally {
    await client.end()
  }
}

/** Readiness may say either while it lasts: it is not compared. */
const ill = async ({ database }: Life, work: (url: string) => Promise<unknown>): Promise<void> => {
  database.chronicle.enter('ill')
  await work(database.url)
  database.chronicle.enter('up')
}

const statementsCancelled: Happening = {
  name: 'statements are cancelled',
  happen: (life, { away }) =>
    ill(life, (url) =>
      asStranger(url, async (client, database) => {
        const until = performance.now() + away * 1000
        while (performance.now() < until) {
          await client.query(`select pg_cancel_backend(pid) ${sessions} and state = 'active'`, [database])
          await wait(50)
        }
      }),
    ),
}

/** As after a fail-over: those who are connected now, and those who connect, cannot write. */
const readOnly: Happening = {
  name: 'the database takes no writes',
  happen: (life, { away }) =>
    ill(life, (url) =>
      asStranger(url, async (client, database) => {
        const set = async (isReadOnly: boolean): Promise<void> => {
          await client.query('set default_transaction_read_only = off')
          await client.query(`alter database "${database}" set default_transaction_read_only = ${isReadOnly}`)
          await client.query(`select pg_terminate_backend(pid) ${sessions}`, [database])
        }
        await set(true)
        await wait(away * 1000)
        await set(false)
      }),
    ),
}

const diskFull: Happening = {
  name: 'the disk is full',
  happen: (life, { away }) =>
    ill(life, (url) =>
      asStranger(url, async (client) => {
        await client.query(`create or replace function no_room() returns trigger language plpgsql as
          $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`)
        const tables = ['journal', 'lock_journal', 'jobs', 'used_tokens']
        for (const table of tables)
          await client.query(`create trigger no_room before insert on ${table} execute function no_room()`)
        await wait(away * 1000)
        for (const table of tables) await client.query(`drop trigger no_room on ${table}`)
      }),
    ),
}

const connectionsUsedUp: Happening = {
  name: 'the connections of the database are used up',
  happen: (life, { away }) =>
    ill(life, async (url) => {
      const taken: Client[] = []
      for (;;) {
        const client = new Client({ connectionString: url, application_name: onlooker })
        client.on('error', () => {})
        const isTaken = await client.connect().then(
          () => true,
          () => false,
        )
        if (!isTaken) break
        taken.push(client)
      }
      await wait(away * 1000)
      await Promise.all(taken.map((client) => client.end()))
    }),
}

/** Readiness is not changed by it: other runs go on. */
const rowsHeld: Happening = {
  name: 'a stranger holds the rows of half of the open runs',
  happen: ({ database }, { away }) =>
    asStranger(database.url, async (client) => {
      await client.query('begin')
      await client.query(
        `select from runs where status in ('pending', 'planning', 'applying') and id::text < '8' for update`,
      )
      await wait(away * 2000)
      await client.query('rollback')
    }),
}

/** Its answers end in the middle, and then lead to themselves; what was asked for in the first half was done. */
const hostMumbles: Happening = {
  name: 'the code host truncates its answers, and then redirects for ever',
  happen: async ({ github }, { away }) => {
    const truncating = github.faults.add({ kind: 'request', effect: 'truncate' })
    await wait(away * 1000)
    truncating.remove()
    const location = `${github.url}/rate_limit`
    const redirecting = github.faults.add({ kind: 'request', effect: { status: 307, headers: { location } } })
    await wait(away * 1000)
    redirecting.remove()
  },
}

/** By the names that the test and the proof use. */
export const illnesses = { statementsCancelled, readOnly, diskFull, connectionsUsedUp, rowsHeld, hostMumbles }
