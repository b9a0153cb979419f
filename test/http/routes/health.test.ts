import t from 'tap'
import { testDatabase } from '#test/helpers/database.ts'
import { serve } from '#test/scenes/served.ts'
import { severable } from '#test/scenes/severable.ts'

const { databaseUrl, send } = await serve(t)

t.test('/healthz and /readyz show the version', async (t) => {
  for (const path of ['/healthz', '/readyz']) {
    const answer = await send(path)
    t.match(answer, { status: 200, json: { status: 'ok', version: '1.2.3' } }, path)
    t.notOk('setup_mode' in answer.json, path)
    t.equal(answer.headers.get('cache-control'), 'no-store', path)
  }
})

t.test('without the database the service is alive but not ready', async (t) => {
  const line = await severable(t, (await testDatabase(t)).url)
  const down = await serve(t, { databaseUrl: line.url })
  t.equal((await down.send('/readyz')).status, 200)
  await line.sever()
  t.equal((await down.send('/healthz')).status, 200)
  t.match(await down.send('/readyz'), { status: 503, json: { code: 'unavailable', message: /database/ } })
})

t.test('in setup mode, health says so, and everything else is 503', async (t) => {
  const setup = await serve(t, { databaseUrl, setupMode: true })
  for (const path of ['/healthz', '/readyz']) {
    t.match(await setup.send(path), { status: 200, json: { status: 'ok', version: '1.2.3', setup_mode: true } }, path)
  }
  const others = ['/', '/v1/me', '/v1/openapi.json', '/metrics', '/auth/login', '/anything']
  for (const path of others) {
    t.match(await setup.send(path), { status: 503, json: { code: 'unavailable', message: /setup mode/ } }, path)
  }
  const posted = await setup.send('/v1/runs', { method: 'POST', body: '{}' })
  t.match(posted, { status: 503, json: { code: 'unavailable' } })
})
