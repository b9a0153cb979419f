import { randomUUID } from 'node:crypto'
import { Agent, get, type IncomingMessage } from 'node:http'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { testDatabase } from '#test/helpers/database.ts'
import { query, serve } from '#test/scenes/served.ts'

const { url: databaseUrl } = await testDatabase(t)

const asking = (url: string, agent: Agent): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: 'Bearer sk_slow' } }, (response) => {
      response.resume()
      response.on('end', () => resolve(response))
    }).on('error', reject)
  })

/** A service with a request under way: it waits in the database until it is released. */
const withRequestUnderWay = async (t: Test, options: Parameters<typeof serve>[1] = {}) => {
  const slow = await serve(t, { databaseUrl, ...options })
  const holder = new Client(slow.databaseUrl)
  await holder.connect()
  t.teardown(() => holder.end())
  await holder.query('begin')
  await holder.query('lock table api_keys')
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const answered = asking(`${slow.address}/v1/runs/${randomUUID()}`, agent)
  answered.catch(() => {})
  const waits = 'select count(*)::int as n from pg_locks where not granted and relation = $1::regclass'
  while ((await query(slow.databaseUrl, [waits, ['api_keys']]))[0].n === 0);
  return { app: slow.app, answered, letGo: () => holder.query('rollback') }
}

t.test('a request under way is answered before the service ends, and its connection is not waited for', async (t) => {
  const { app, answered, letGo } = await withRequestUnderWay(t)
  const started = performance.now()
  const closed = app.close()
  await letGo()
  const { statusCode, headers } = await answered
  t.equal(statusCode, 401)
  t.equal(headers.connection, 'close')
  await closed
  t.ok(performance.now() - started < 5000, 'long before a kept connection runs out')
})

t.test('a request that takes longer than the deadline is cut off', async (t) => {
  const { app, answered, letGo } = await withRequestUnderWay(t, { drainMs: 50 })
  await Promise.all([app.close(), t.rejects(answered, { code: 'ECONNRESET' })])
  await letGo()
})

t.test('while it drains, the service is not ready, and keeps no connection', async (t) => {
  const draining = await serve(t, { databaseUrl })
  t.equal((await draining.send('/readyz')).status, 200)
  draining.app.drain()
  const answer = await draining.send('/readyz')
  t.match(answer, { status: 503, json: { code: 'unavailable', message: /shutting down/ } })
  t.equal(answer.headers.get('connection'), 'close')
  t.equal((await draining.send('/healthz')).status, 200, 'it is still alive')
})
