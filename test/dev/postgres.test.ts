import { chmodSync as chmod, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import t from 'tap'
import { isAlive } from '#dev/liveness.ts'
import { closedDirectory } from '#dev/postgres/account.ts'
import { exclusively } from '#dev/postgres/exclusive.ts'
import { postgresDirectory, quickSettings, startPostgres } from '#dev/postgres.ts'

const query = async (url: string, text: string) => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const dir = postgresDirectory(`own-test-${process.pid}`)
t.teardown(() => rmSync(dir, { recursive: true, force: true }))

t.test('an embedded server', async (t) => {
  const [one, two] = await Promise.all([startPostgres({ dir }), startPostgres({ dir })])
  t.teardown(() => one.stop())
  t.equal(one.url, two.url, 'two starts at once give one server')
  await query(one.url, 'create table kept (n int); insert into kept values (7)')

  const pid = Number(readFileSync(join(dir, 'data/postmaster.pid'), 'utf8').split('\n')[0])
  process.kill(pid, 'SIGKILL')
  while (isAlive(pid)) await new Promise(setImmediate)
  const again = await startPostgres({ dir })
  t.equal(again.url, one.url, 'the address is kept')
  t.same(await query(again.url, 'select n from kept'), [{ n: 7 }], 'data outlives kill -9 of the server')

  const quick = Object.fromEntries(
    (await query(one.url, 'select name, setting from pg_settings')).map((r) => [r.name, r.setting]),
  )
  t.match(quick, {
    fsync: 'off',
    max_connections: String(quickSettings.max_connections),
    listen_addresses: '127.0.0.1',
  })
  const safe = await startPostgres({ dir, settings: { fsync: true } })
  t.same(await query(safe.url, 'show fsync'), [{ fsync: 'on' }], 'other settings restart it')

  await safe.stop()
  await t.rejects(query(safe.url, 'select 1'), { code: 'ECONNREFUSED' }, 'stop ends it')
  await safe.stop()

  const squatter = createServer().listen(Number(new URL(one.url).port), '127.0.0.1')
  t.teardown(() => squatter.close())
  const moved = await startPostgres({ dir })
  t.not(new URL(moved.url).port, new URL(one.url).port, 'a port that was taken meanwhile is given up')
  const port = Number(new URL(one.url).port)
  await t.rejects(startPostgres({ dir, port }), /Address already in use/, 'but not a requested port')
})

t.test('where its data is', (t) => {
  const places = [tmpdir(), '/tmp', '/var/tmp'].map((place) => join(place, 'svc-postgres-'))
  const elsewhere = postgresDirectory('x')
  t.ok(places.some((place) => elsewhere.startsWith(place)))
  const inMemory = postgresDirectory('x', { inMemory: true })
  t.ok(inMemory === elsewhere || inMemory.startsWith('/dev/shm/svc-postgres-'), inMemory)
  process.env.SVC_DATA_DIR = '/data'
  t.teardown(() => delete process.env.SVC_DATA_DIR)
  t.match(postgresDirectory('x', { inMemory: true }), /^\/data\/svc-postgres-.+-x$/)
  t.end()
})

t.test('a wrong password is refused', async (t) => {
  const server = await startPostgres({ dir })
  t.teardown(() => server.stop())
  await t.rejects(query(server.url.replace(/:[^:@]+@/, ':guess@'), 'select 1'), /password authentication failed/)
})

t.test('a directory that the server account may not enter is named', (t) => {
  // Not t.testdir: the checkout may itself be in a closed home directory.
  const home = mkdtempSync(join(tmpdir(), 'svc-closed-'))
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  const account = { name: 'postgres', uid: 4_000_000, gid: 4_000_000 }
  const closed = join(home, 'closed')
  mkdirSync(join(closed, 'inner'), { recursive: true })
  chmod(home, 0o755)
  chmod(closed, 0o700)
  t.equal(closedDirectory(join(closed, 'inner'), account), closed)
  t.equal(closedDirectory(join(closed, 'inner'), undefined), undefined, 'as a normal user there is no switch')
  chmod(closed, 0o755)
  t.equal(closedDirectory(join(closed, 'inner'), account), undefined)
  t.end()
})

t.test('work under one name runs one at a time', async (t) => {
  const seen: string[] = []
  const work = (name: string) =>
    exclusively(dir, async () => {
      seen.push(`${name} in`)
      await new Promise(setImmediate)
      seen.push(`${name} out`)
    })
  await Promise.all([work('a'), work('b'), t.rejects(exclusively(dir, () => Promise.reject(new Error('fell over'))))])
  t.match(seen.join(', '), /^(a in, a out, b in, b out|b in, b out, a in, a out)$/)
})
