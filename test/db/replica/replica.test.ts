import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { addApiKey } from '#db/people/api-keys.ts'
import { createPool } from '#db/pool.ts'
import { type Pool, sql } from '#db/sql.ts'
import { removePostgres } from '#dev/leftovers.ts'
import { postgresDirectory, startPostgres } from '#dev/postgres.ts'
import { testLog as log } from '#test/helpers/instance.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { primarySettings, startStandby } from './standby.ts'

/*
 * The service beside a real server and one that follows it (docs/operations.md, 'A replica for reading'). What was read from
 * where is told by holding the follower back: then only the primary has what is new.
 */

const startServers = async (t: Test) => {
  const dirOf = (name: string): string => postgresDirectory(`${name}-${process.pid}`, { inMemory: true })
  const [dir, copy] = [dirOf('primary'), dirOf('standby')]
  t.teardown(() => Promise.all([removePostgres(dir), removePostgres(copy)]))
  const { url } = await startPostgres({ dir, settings: primarySettings })
  return { url, standby: await startStandby({ url, dir }, copy) }
}

const Nothing = z.object({})

const holdBack = (follower: Pool) => follower.query(sql.type(Nothing)`select pg_wal_replay_pause()`)
const letGo = (follower: Pool) => follower.query(sql.type(Nothing)`select pg_wal_replay_resume()`)

t.test('lists are read from a replica that is in order, and whoever wrote sees it', async (t) => {
  const { url, standby } = await startServers(t)
  const world = await startWorld(t, { databaseUrl: url, env: { DATABASE_READ_URL: standby.url } })
  const follower = await createPool(standby.url, { log })
  t.teardown(() => follower.end())

  for (const name of ['reader', 'writer'])
    await addApiKey(world.pool, {
      name,
      key_hash: createHash('sha256').update(`sk_${name}`).digest('hex'),
      prefix: 'sk_',
      created_by: 'test',
    })
  const call = (name: string, path: string, init: RequestInit = {}) =>
    fetch(`${world.service.url}${path}`, { ...init, headers: { authorization: `Bearer sk_${name}` } })
  const seenBy = async (name: string): Promise<string[]> => {
    const signal = AbortSignal.timeout(20_000)
    const answer = (await (await call(name, '/v1/repos', { signal })).json()) as { items?: { full_name: string }[] }
    return (answer.items ?? []).map((repository) => repository.full_name)
  }
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${world.service.url}/metrics`)).text()
    return Number(new RegExp(`^svc_${name} (\\S+)$`, 'm').exec(text)?.[1])
  }
  const rename = (to: string) => world.pool.query(sql.type(Nothing)`update repositories set name = ${to}`)

  await until(async () => (await metric('replica_readable')) === 1)
  t.same(await seenBy('reader'), ['acme/infra'])

  await holdBack(follower)
  await rename('newer')
  t.same(await seenBy('reader'), ['acme/infra'], 'a list is read from the replica, which has not followed')
  const refused = await call('writer', '/v1/stacks/00000000-0000-4000-8000-000000000000/unlock', { method: 'POST' })
  t.ok(refused.status >= 400, 'whatever came of what a caller did')
  t.same(await seenBy('writer'), ['acme/newer'], 'they read what was there by then, from the primary')
  const missing = await call('reader', '/v1/repos/acme/newer/runs')
  t.equal(missing.status, 200, 'what the replica does not have yet is looked for in the primary')

  await letGo(follower)
  await until(async () => (await seenBy('reader'))[0] === 'acme/newer')
  await rename('infra')
  await until(async () => (await seenBy('reader'))[0] === 'acme/infra')
  t.same(await seenBy('writer'), ['acme/infra'], 'it follows again')

  await holdBack(follower)
  await rename('late')
  await until(async () => (await metric('replica_readable')) === 0)
  t.same(await seenBy('reader'), ['acme/late'], 'one that is more than 5 s behind is left alone')
  t.ok((await metric('replica_lag_seconds')) > 5, 'and the metrics say how far it is behind')
  await letGo(follower)
  await until(async () => (await metric('replica_readable')) === 1)

  await standby.whileFrozen(async () => {
    t.same(await seenBy('reader'), ['acme/late'], 'one that stops answering, its connections open, costs some seconds')
    t.equal(await metric('replica_readable'), 0)
    for (let asked = 0; asked < 15; asked += 1) await seenBy('reader')
    t.pass('and then nothing: it is left alone')
  })
  await until(async () => (await metric('replica_readable')) === 1)

  await standby.stop()
  for (let asked = 0; asked < 5; asked += 1)
    t.same(await seenBy('reader'), ['acme/late'], 'one that is gone costs no answer')
  await until(async () => (await metric('replica_readable')) === 0)
  await standby.startAgain()
  await until(async () => (await metric('replica_readable')) === 1)
  t.pass('it is read from again when it is back')
})

t.test('a server that is no replica of the database is never read from', async (t) => {
  const world = await startWorld(t)
  const { DATABASE_URL = '' } = world.env
  const other = await startWorld(t, { env: { DATABASE_READ_URL: DATABASE_URL } })
  const text = await (await fetch(`${other.service.url}/metrics`)).text()
  t.match(text, /^svc_replica_readable 0$/m)
})
