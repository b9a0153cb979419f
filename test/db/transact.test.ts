import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { migrate, readMigrations } from '#db/migrate.ts'
import { createPool } from '#db/pool.ts'
import { tryWrite } from '#db/readiness.ts'
import { sql, type Tx } from '#db/sql.ts'
import { afterCommit, transact } from '#db/transact.ts'
import { createLog } from '#log.ts'
import { testDatabase } from '#test/helpers/database.ts'

const log = createLog({ level: 'silent', format: 'json' })

const open = async (t: Test) => {
  const { url } = await testDatabase(t)
  const pool = await createPool(url, { log })
  t.teardown(() => pool.end())
  return { url, pool }
}

const Nothing = z.object({})

t.test('instances that start together on an empty database migrate it once', async (t) => {
  const { url } = await open(t)
  const name = `empty-${randomUUID()}`
  const admin = new Client(url)
  await admin.connect()
  t.teardown(async () => {
    await admin.query(`drop database "${name}" with (force)`)
    await admin.end()
  })
  await admin.query(`create database "${name}"`)
  const empty = new URL(url)
  empty.pathname = `/${name}`
  const applied = await Promise.all([1, 2, 3].map(() => migrate(empty.href)))
  const all = (await readMigrations()).map((migration) => migration.name)
  t.same(
    applied.filter((names) => names.length > 0),
    [all],
    'one of them ran all migrations',
  )
  t.same(await migrate(empty.href), [])
})

t.test('a server that accepts the connection and never answers is reported by its variable', async (t) => {
  const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.teardown(() => silent.close())
  const { port } = silent.address() as AddressInfo
  await t.rejects(
    migrate(`postgres://svc:hush@127.0.0.1:${port}/svc`, 50),
    /^DATABASE_URL: no connection to .*: timeout/,
  )
})

t.test('a schema newer than this version knows is refused, not guessed at', async (t) => {
  const { url, pool } = await open(t)
  const known = (await readMigrations()).length
  await pool.query(sql.type(Nothing)`insert into migrations (number, name) values (${known + 1}, 'tomorrow')`)
  await t.rejects(migrate(url), {
    message: `the database has migration ${known + 1}, this version knows ${known}: start the newer version, or restore a backup`,
  })
})

t.test('a row that does not fit its statement is an error', async (t) => {
  const { pool } = await open(t)
  await t.rejects(pool.one(sql.type(z.object({ n: z.string() }))`select 1 as n`), /do not conform with the schema/)
  await t.rejects(pool.one(sql.type(z.object({ n: z.number() }))`select 9007199254740993::int8 as n`))
  t.same(await pool.one(sql.type(z.object({ n: z.number() }))`select 9007199254740991::int8 as n`), {
    n: Number.MAX_SAFE_INTEGER,
  })
})

t.test('of two transactions that wait for each other, one runs again, and both commit', async (t) => {
  const { pool } = await open(t)
  await pool.query(sql.type(Nothing)`create table counters (id integer primary key, n integer not null)`)
  await pool.query(sql.type(Nothing)`insert into counters values (1, 0), (2, 0)`)
  const both = Promise.withResolvers<void>()
  let arrived = 0
  let runs = 0
  let told = 0
  const add = (tx: Tx, id: number) => tx.query(sql.type(Nothing)`update counters set n = n + 1 where id = ${id}`)
  const crossing = (first: number, second: number) =>
    transact(pool, async (tx) => {
      runs += 1
      await add(tx, first)
      arrived += 1
      if (arrived >= 2) both.resolve()
      await both.promise
      afterCommit(tx, () => {
        told += 1
      })
      await add(tx, second)
    })
  await Promise.all([crossing(1, 2), crossing(2, 1)])
  t.ok(runs >= 3, `${runs} runs of two transactions`)
  t.equal(told, 2, 'what waits for the commit is done once for each transaction')
  t.same(await pool.any(sql.type(z.object({ n: z.number() }))`select n from counters`), [{ n: 2 }, { n: 2 }])
})

t.test('a transaction that rejects leaves nothing behind', async (t) => {
  const { pool } = await open(t)
  await pool.query(sql.type(Nothing)`create table notes (text text)`)
  const failing = transact(pool, async (tx) => {
    afterCommit(tx, () => t.fail('there was no commit'))
    await tx.query(sql.type(Nothing)`insert into notes values ('half')`)
    throw new Error('no')
  })
  await t.rejects(failing, { message: 'no' })
  t.same(await pool.any(sql.type(Nothing)`select from notes`), [])
})

t.test('a lost connection is one failed statement, not the end of the process', async (t) => {
  const { url, pool } = await open(t)
  await tryWrite(pool)
  const other = new Client(url)
  await other.connect()
  await other.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  await other.end()
  await tryWrite(pool).catch(() => {})
  await t.resolves(tryWrite(pool))
})
