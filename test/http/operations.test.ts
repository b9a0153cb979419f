import { randomUUID } from 'node:crypto'
import { Agent, get, type IncomingMessage } from 'node:http'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { createMetrics } from '#metrics.ts'
import { testDatabase } from '#test/helpers/database.ts'
import { addRepository, type Json, query, serve } from './served.ts'
import { severable } from './severable.ts'

const service = await serve(t)
await addRepository(service.databaseUrl)
const { send } = service

/** Another server over the same database. */
const serveMore = (t: Test, options: Parameters<typeof serve>[1] = {}) =>
  serve(t, { databaseUrl: service.databaseUrl, ...options })

t.test('/healthz and /readyz tell the version', async (t) => {
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

t.test('in setup mode health tells so, and everything else is 503', async (t) => {
  const setup = await serveMore(t, { setupMode: true })
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

t.test('every other path shows the index page, without scripts', async (t) => {
  for (const path of ['/', '/runs/1', '/anything/else?x=1', '/v1x', '/authors']) {
    const { status, headers, text } = await send(path)
    t.equal(status, 200, path)
    t.equal(headers.get('content-type'), 'text/html; charset=utf-8', path)
    t.match(text, /svc.*version 1\.2\.3.*https:\/\/svc\.example\.com\/v1\/openapi\.json/s, path)
    t.notMatch(text, /<script/, path)
    t.match(headers.get('content-security-policy'), /^default-src 'none'; style-src 'sha256-[^']+'; base-uri/, path)
  }
  t.match(await send('/', { method: 'HEAD' }), { status: 200, text: '' })
})

t.test('metrics are open, or need their token', async (t) => {
  const open = await send('/metrics')
  t.equal(open.status, 200)
  t.match(open.headers.get('content-type'), /^text\/plain; version=0\.0\.4/)
  t.match(open.text, /^svc_build_info\{version="1\.2\.3",commit="abc"\} 1$/m)
  t.match(open.text, /^process_cpu_seconds_total /m)
  const closed = await serveMore(t, { metricsToken: 'scrape-me' })
  const cases: [authorization: string | undefined, status: number][] = [
    [undefined, 401],
    ['Bearer wrong', 401],
    ['Bearer scrape-me2', 401],
    ['Basic scrape-me', 401],
    ['Bearer scrape-me', 200],
  ]
  for (const [authorization, status] of cases) {
    const answer = await closed.send('/metrics', authorization ? { headers: { authorization } } : {})
    t.equal(answer.status, status, authorization ?? 'none')
    if (status === 401) t.equal(answer.headers.get('www-authenticate'), 'Bearer realm="svc"')
  }
})

t.test('requests are counted by the pattern of their route', async (t) => {
  const one = await serveMore(t)
  await one.send(`/v1/runs/${randomUUID()}`)
  await one.send(`/v1/runs/${randomUUID()}`)
  await one.send('/v1/made-up-1')
  await one.send('/made-up-2', { method: 'PROPFIND' })
  const { text } = await one.metrics.expose()
  const counted = text.split('\n').filter((line) => line.startsWith('svc_http_requests_total{'))
  t.same(counted.sort(), [
    'svc_http_requests_total{route="/v1/runs/:id",method="GET",status="401"} 2',
    'svc_http_requests_total{route="other",method="GET",status="404"} 1',
    'svc_http_requests_total{route="other",method="OTHER",status="404"} 1',
  ])
  t.match(text, /^svc_http_request_duration_seconds_count\{route="\/v1\/runs\/:id",method="GET"\} 2$/m)
})

t.test('values from outside make no series of their own', async (t) => {
  const metrics = createMetrics({ version: 'v', commit: 'c' })
  metrics.github.request('GET /repos/{owner}/{repo}', '200', 0.1)
  metrics.github.request('GET https://api.example.com/repositories?page=2', '200', 0.1)
  metrics.github.rateLimitRemaining(4999)
  metrics.webhookReceived('made_up')
  metrics.webhookHandled(0.2)
  metrics.eventProcessed('made_up', 'dead')
  metrics.jobProcessed('publish_run', 'ok')
  metrics.queueDepth('jobs', 3)
  metrics.settled({
    runs: [{ status: 'planned', trigger: 'pull_request', mode: 'plan' }],
    stacks: [
      { mode: 'plan', status: 'planned', seconds: 7 },
      { mode: 'plan', status: 'skipped', seconds: null },
    ],
  })
  const { text } = await metrics.expose()
  const lines = text.split('\n').filter((line) => /^svc_.* /.test(line))
  for (const line of [
    'svc_github_requests_total{route="GET /repos/{owner}/{repo}",status="200"} 1',
    'svc_github_requests_total{route="other",status="200"} 1',
    'svc_github_rate_limit_remaining 4999',
    'svc_webhook_received_total{event="other"} 1',
    'svc_webhook_lag_seconds_bucket{le="0.01"} 0',
    'svc_webhook_lag_seconds_bucket{le="600"} 1',
    'svc_events_processed_total{kind="other",result="dead"} 1',
    'svc_events_dead_total{kind="other"} 1',
    'svc_jobs_processed_total{kind="publish_run",result="ok"} 1',
    'svc_queue_depth{queue="jobs"} 3',
    'svc_runs_total{status="planned",trigger="pull_request",mode="plan"} 1',
    'svc_stack_finished_total{mode="plan",status="skipped"} 1',
    'svc_stack_duration_seconds_bucket{le="5",mode="plan"} 0',
    'svc_stack_duration_seconds_bucket{le="10",mode="plan"} 1',
    'svc_stack_duration_seconds_bucket{le="7200",mode="plan"} 1',
    'svc_stack_duration_seconds_count{mode="plan"} 1',
  ]) {
    t.ok(lines.includes(line), line)
  }
})

t.test('the OpenAPI document is made from the schemas', async (t) => {
  const answer = await send('/v1/openapi.json')
  t.equal(answer.status, 200)
  const document: Json = answer.json
  t.match(document, {
    openapi: '3.1.0',
    info: { title: 'svc', version: '1.2.3' },
    servers: [{ url: 'https://svc.example.com' }],
  })
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method} ${path}`),
  )
  t.same(operations.sort(), [
    'get /auth/callback',
    'get /auth/login',
    'get /healthz',
    'get /metrics',
    'get /readyz',
    'get /setup',
    'get /setup/callback',
    'get /setup/installed',
    'get /v1/audit',
    'get /v1/locks',
    'get /v1/machines/{kind}',
    'get /v1/machines/{kind}/{id}',
    'get /v1/machines/{kind}/{id}/journal',
    'get /v1/me',
    'get /v1/modules',
    'get /v1/modules/{id}',
    'get /v1/openapi.json',
    'get /v1/overview',
    'get /v1/queue',
    'get /v1/repos',
    'get /v1/repos/{owner}/{repo}/graph',
    'get /v1/repos/{owner}/{repo}/runs',
    'get /v1/repos/{owner}/{repo}/stacks',
    'get /v1/runs/{id}',
    'get /v1/runs/{id}/gate',
    'get /v1/runs/{id}/stacks/{key}/plan',
    'get /v1/stacks/{id}',
    'get /v1/stacks/{id}/drift',
    'get /v1/stacks/{id}/runs',
    'post /auth/logout',
    'post /v1/queue/{id}/retry',
    'post /v1/runs',
    'post /v1/runs/{id}/graph',
    'post /v1/runs/{id}/rerun',
    'post /v1/runs/{id}/stacks/{key}/checks/{name}',
    'post /v1/runs/{id}/stacks/{key}/result',
    'post /v1/stacks/{id}/unlock',
    'post /v1/unlock',
    'post /webhooks/codehost',
  ])
  const result = document.paths['/v1/runs/{id}/stacks/{key}/result'].post
  t.same(result.security, [{ runner: [] }, { apiKey: [] }])
  t.same(Object.keys(result.responses), ['200', '400', '401', '403', '404', '409', '413', '500', '503'])
  t.match(result.responses['409'].description, /superseded/)
  const { schemas } = document.components
  for (const name of ['Run', 'RunStack', 'Summary', 'Check', 'LockInfo', 'Warning', 'ResolveResponse', 'Error']) {
    t.ok(schemas[name]?.description, name)
  }
  t.notMatch(answer.text, /"additionalProperties":false/, 'answers may get fields')
})

t.test('every reference of the document leads somewhere, and every component is referred to', async (t) => {
  const { text, json } = await send('/v1/openapi.json')
  const targets = new Set([...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name))
  t.ok(targets.size > 10)
  t.same([...targets].sort(), Object.keys(json.components.schemas).sort())
})

const asking = (url: string, agent: Agent): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: 'Bearer sk_slow' } }, (response) => {
      response.resume()
      response.on('end', () => resolve(response))
    }).on('error', reject)
  })

/** A service with a request under way: it waits in the database until it is let go. */
const withRequestUnderWay = async (t: Test, options: Parameters<typeof serve>[1] = {}) => {
  const slow = await serveMore(t, options)
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

t.test('while it drains the service is not ready, and keeps no connection', async (t) => {
  const draining = await serveMore(t)
  t.equal((await draining.send('/readyz')).status, 200)
  draining.app.drain()
  const answer = await draining.send('/readyz')
  t.match(answer, { status: 503, json: { code: 'unavailable', message: /shutting down/ } })
  t.equal(answer.headers.get('connection'), 'close')
  t.equal((await draining.send('/healthz')).status, 200, 'alive it is')
})
