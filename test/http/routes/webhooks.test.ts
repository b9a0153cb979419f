import { createHmac, randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { type Answer, query, serve, webhookSecret } from '#test/scenes/served.ts'

const service = await serve(t)

const sign = (body: string | Buffer, secret = webhookSecret): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

const payload = JSON.stringify({ action: 'opened', number: 12, repository: { id: 7 } })

type Delivery = {
  id?: string
  event?: string
  body?: string | Buffer<ArrayBuffer>
  headers?: Record<string, string | undefined>
}

const deliver = ({ id = randomUUID(), event = 'pull_request', body = payload, headers = {} }: Delivery = {}) => {
  const all = {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-github-delivery': id,
    'x-hub-signature-256': sign(body),
    ...headers,
  }
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return service.send('/webhooks/codehost', { method: 'POST', body, headers: Object.fromEntries(sent) })
}

const queued = (id: string) =>
  query(service.databaseUrl, [`select queue, kind, payload from jobs where delivery_id = $1`, [id]])

const counted = async (line: string): Promise<number> => {
  const { text } = await service.metrics.expose()
  return Number(
    text
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.split(' ')[1] ?? 0,
  )
}

t.test('a delivery is queued and answered 202', async (t) => {
  const id = randomUUID()
  const before = await counted('svc_webhook_received_total{event="pull_request"}')
  const answer = await deliver({ id })
  t.match(answer, { status: 202, text: '' })
  t.same(await queued(id), [{ queue: 'events', kind: 'pull_request', payload: JSON.parse(payload) }])
  t.equal(await counted('svc_webhook_received_total{event="pull_request"}'), before + 1)
  const line = service.lines.find((text) => text.includes(id)) ?? '{}'
  t.match(JSON.parse(line), { delivery: id, request_id: /./, route: '/webhooks/codehost', status: 202 })
})

t.test('of a long delivery what is read is kept', async (t) => {
  const id = randomUUID()
  const long = {
    ...JSON.parse(payload),
    installation: { id: 5 },
    labels: Array.from({ length: 50_000 }, () => ({ id: 1 })),
  }
  t.equal((await deliver({ id, body: JSON.stringify(long) })).status, 202)
  t.match(await queued(id), [{ payload: { ...JSON.parse(payload), installation: { id: 5 }, labels: undefined } }])
  const half = await deliver({ body: JSON.stringify(long).slice(0, -1) })
  t.match(half, { status: 400, json: { details: { field: 'payload', reason: /does not come to its end/ } } })
})

t.test('the same delivery again is a duplicate: 202, queued once', async (t) => {
  const id = randomUUID()
  const before = await counted('svc_webhook_duplicates_total')
  t.equal((await deliver({ id })).status, 202)
  t.equal((await deliver({ id })).status, 202)
  t.equal((await queued(id)).length, 1)
  t.equal(await counted('svc_webhook_duplicates_total'), before + 1)
})

t.test('a delivery without a valid signature is 401, counted and queued nowhere', async (t) => {
  const good = sign(payload)
  const cases: [what: string, signature: string | undefined][] = [
    ['none', undefined],
    ['empty', ''],
    ['of another secret', sign(payload, 'guess')],
    ['of another body', sign(`${payload} `)],
    ['without its scheme', good.slice(7)],
    ['of SHA-1', `sha1=${createHmac('sha1', webhookSecret).update(payload).digest('hex')}`],
    ['cut short', good.slice(0, -2)],
  ]
  const before = await counted('svc_webhook_received_total{event="pull_request"}')
  for (const [what, signature] of cases) {
    const id = randomUUID()
    const answer = await deliver({ id, headers: { 'x-hub-signature-256': signature } })
    t.match(answer, { status: 401, json: { code: 'unauthorized', message: /X-Hub-Signature-256/ } }, what)
    t.equal(answer.headers.get('www-authenticate'), 'Bearer realm="svc"', what)
    t.same(await queued(id), [], what)
  }
  t.equal(await counted('svc_webhook_received_total{event="pull_request"}'), before)
})

t.test('the signature covers the bytes as received', async (t) => {
  const body = `{ "action" :  "opened", "title": "ünïcode" }\n`
  t.equal((await deliver({ body })).status, 202)
  t.equal(
    (await deliver({ body, headers: { 'x-hub-signature-256': sign(JSON.stringify(JSON.parse(body))) } })).status,
    401,
  )
})

t.test('a hook may send a form with the payload in it', async (t) => {
  const id = randomUUID()
  const body = `payload=${encodeURIComponent(payload)}`
  t.equal((await deliver({ id, body, headers: { 'content-type': 'application/x-www-form-urlencoded' } })).status, 202)
  t.match(await queued(id), [{ payload: JSON.parse(payload) }])
})

const isInvalid = (t: Test, answer: Answer, field: string, what: string) =>
  t.match(answer, { status: 400, json: { code: 'invalid', details: { field } } }, what)

t.test('signed requests that are no delivery are 400', async (t) => {
  isInvalid(t, await deliver({ body: 'hello' }), 'payload', 'no JSON')
  isInvalid(t, await deliver({ body: '[]' }), 'payload', 'no object')
  isInvalid(t, await deliver({ body: '' }), 'payload', 'nothing')
  isInvalid(t, await deliver({ headers: { 'x-github-event': undefined } }), 'x-github-event', 'no event')
  isInvalid(t, await deliver({ headers: { 'x-github-delivery': undefined } }), 'x-github-delivery', 'no id')
  isInvalid(t, await deliver({ headers: { 'content-type': 'text/plain' } }), 'Content-Type', 'text')
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  isInvalid(t, await deliver({ body: 'other=1', headers: form }), 'payload', 'a form without it')
})

t.test('a payload of more than 1 MB is accepted, one of more than 25 MB is 413', async (t) => {
  const big = Buffer.from(JSON.stringify({ pad: 'x'.repeat(3 * 1024 * 1024) }))
  t.equal((await deliver({ body: big })).status, 202)
  const huge = Buffer.alloc(25 * 1024 * 1024 + 1, ' ')
  t.match(await deliver({ body: huge }), { status: 413, json: { code: 'invalid', message: /25 MB/ } })
})

t.test('a character that Postgres cannot store is left out', async (t) => {
  const id = randomUUID()
  t.equal((await deliver({ id, body: '{"title":"a\\u0000b","path":"c:\\\\u0000"}' })).status, 202)
  t.match(await queued(id), [{ payload: { title: 'ab', path: 'c:\\u0000' } }])
})

t.test('unknown events count as other', async (t) => {
  const before = await counted('svc_webhook_received_total{event="other"}')
  t.equal((await deliver({ event: 'sponsorship' })).status, 202)
  t.equal(await counted('svc_webhook_received_total{event="other"}'), before + 1)
})
