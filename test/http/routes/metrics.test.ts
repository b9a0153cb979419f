import { randomUUID } from 'node:crypto'
import t from 'tap'
import { serve } from '#test/scenes/served.ts'

const { databaseUrl, send } = await serve(t)

t.test('metrics are open, or need their token', async (t) => {
  const open = await send('/metrics')
  t.equal(open.status, 200)
  t.match(open.headers.get('content-type'), /^text\/plain; version=0\.0\.4/)
  t.match(open.text, /^svc_build_info\{version="1\.2\.3",commit="abc"\} 1$/m)
  t.match(open.text, /^process_cpu_seconds_total /m)
  const closed = await serve(t, { databaseUrl, metricsToken: 'scrape-me' })
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
  const one = await serve(t, { databaseUrl })
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
