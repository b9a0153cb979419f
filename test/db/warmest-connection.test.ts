import { Client } from 'pg'
import t from 'tap'
import { z } from 'zod'
import { createPool } from '#db/pool.ts'
import { type Pool, type Reader, sql } from '#db/sql.ts'
import { createLog } from '#log.ts'
import { testDatabase } from '#test/helpers/database.ts'

const log = createLog({ level: 'silent', format: 'json' })
const { url } = await testDatabase(t)

const open = async (t: { teardown(end: () => Promise<unknown>): void }, size = 4): Promise<Pool> => {
  const pool = await createPool(url, { log, size })
  t.teardown(() => pool.end())
  return pool
}

/** The process of Postgres that answers. */
const processOf = (db: Reader): Promise<number> =>
  db.oneFirst(sql.type(z.object({ pid: z.number() }))`select pg_backend_pid() as pid`)

/** So many at the same time, each by its own connection. */
const burst = async (pool: Pool, count: number): Promise<number[]> => {
  let waiting = count
  const all = Promise.withResolvers<void>()
  return Promise.all(
    Array.from({ length: count }, () =>
      pool.connect(async (db) => {
        const pid = await processOf(db)
        waiting -= 1
        if (waiting === 0) all.resolve()
        await all.promise
        return pid
      }),
    ),
  )
}

const oneByOne = async (pool: Pool, count: number): Promise<number[]> => {
  const found: number[] = []
  for (let n = 0; n < count; n += 1) found.push(await processOf(pool))
  return found
}

const end = async (pids: readonly number[]): Promise<void> => {
  const client = new Client(url)
  await client.connect()
  await client.query('select pg_terminate_backend(pid, 5000) from unnest($1::int4[]) as t(pid)', [pids])
  await client.end()
}

t.test('what comes one after the other is answered by one connection, however many there are', async (t) => {
  const pool = await open(t)
  const four = await burst(pool, 4)
  t.equal(new Set(four).size, 4)
  const alone = await oneByOne(pool, 12)
  t.equal(new Set(alone).size, 1)
  t.ok(four.includes(alone[0] ?? 0), 'one of the four')
})

t.test('what comes together is answered by several, the same ones each time', async (t) => {
  const pool = await open(t)
  await burst(pool, 4)
  const first = new Set(await burst(pool, 2))
  t.equal(first.size, 2)
  for (let round = 0; round < 5; round += 1) t.same(new Set(await burst(pool, 2)), first)
  t.equal(new Set(await burst(pool, 4)).size, 4, 'the others are still there')
})

t.test('more than there are connections wait for one that is released', async (t) => {
  const pool = await open(t, 2)
  const found = await Promise.all(Array.from({ length: 20 }, () => processOf(pool)))
  t.equal(found.length, 20)
  t.equal(new Set(found).size, 2)
})

t.test('connections that the database ends are replaced, the warmest too', async (t) => {
  const pool = await open(t)
  const four = await burst(pool, 4)
  const [warmest = 0] = await oneByOne(pool, 3)
  await end([warmest])
  const [next = 0] = await oneByOne(pool, 3)
  t.not(next, warmest)
  t.ok(four.includes(next), 'one of those that were there')
  await end(four)
  const anew = await burst(pool, 4)
  t.equal(new Set(anew).size, 4)
  t.notOk(anew.some((pid) => four.includes(pid)))
  t.equal(new Set(await oneByOne(pool, 8)).size, 1)
})

t.test('a connection that is lost while it is used fails its statement alone', async (t) => {
  const pool = await open(t)
  await burst(pool, 3)
  await t.rejects(
    pool.connect(async (db) => {
      await end([await processOf(db)])
      return processOf(db)
    }),
  )
  t.equal(new Set(await oneByOne(pool, 8)).size, 1)
  t.equal(new Set(await burst(pool, 4)).size, 4)
})
