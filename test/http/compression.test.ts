import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { startWorld } from '#test/helpers/world.ts'
import { addKey, planning, send } from '#test/scenes/scene.ts'
import { serve } from '#test/scenes/served.ts'

const world = await startWorld(t)
const key = await addKey(world)
const authorization = `Bearer ${key}`
const few = await planning(world, ['a', 'b', 'c'])
const many = await planning(
  world,
  Array.from({ length: 40 }, (_, i) => `many/${i}`),
)
for (let i = 0; i < 40; i += 1) await many.job.report(many.id, `many/${i}`, { plan_text: `${i} `.repeat(10_000) })

type Raw = { status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }

/** As it is on the line: fetch would ask for encodings of its own, and undo them. */
const raw = (url: string, headers: Record<string, string> = {}, method = 'GET', body?: Buffer): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      )
      answer.on('error', reject)
    })
    asked.on('error', reject)
    asked.end(body)
  })

const get = (path: string, encoding?: string) =>
  raw(`${world.service.url}${path}`, {
    authorization,
    ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
  })

const open = ({ headers, body }: Raw): string => {
  const encoding = headers['content-encoding']
  if (encoding === 'br') return brotliDecompressSync(body).toString()
  return encoding === 'gzip' ? gunzipSync(body).toString() : body.toString()
}

t.test('an answer comes in the encoding that is asked for, and says the same in each', async (t) => {
  const cases: [asked: string | undefined, encoding: string | undefined][] = [
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0.1, gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['deflate', undefined],
    ['identity', undefined],
    ['', undefined],
    [undefined, undefined],
  ]
  for (const path of [
    '/v1/machines/run',
    '/v1/openapi.json',
    '/svc.schema.json',
    `/v1/runs/${few.id}`,
    `/v1/runs/${many.id}`,
  ]) {
    const plain = (await get(path)).body.toString()
    t.ok(plain.length > 1024, path)
    for (const [asked, encoding] of cases) {
      const answer = await get(path, asked)
      t.same([answer.status, answer.headers['content-encoding']], [200, encoding], `${path}, asked for ${asked}`)
      t.equal(answer.headers.vary, 'accept-encoding')
      t.equal(open(answer), plain)
      if (encoding) t.ok(answer.body.length < plain.length / 2, `${answer.body.length} of ${plain.length}`)
    }
  }
})

t.test('what is small stays as it is, so do answers to what is no GET', async (t) => {
  const me = await get('/v1/me', 'br')
  t.ok(me.body.length < 1024)
  t.same([me.headers['content-encoding'], me.headers.vary], [undefined, 'accept-encoding'])
  const path = `${world.service.url}/v1/runs/${many.id}/rerun`
  const posted = await raw(path, { authorization, 'accept-encoding': 'br' }, 'POST')
  t.notOk('content-encoding' in posted.headers || 'vary' in posted.headers)
  const head = await raw(`${world.service.url}/v1/openapi.json`, { 'accept-encoding': 'br' }, 'HEAD')
  t.same([head.status, head.body.length, head.headers['content-encoding']], [200, 0, undefined])
})

t.test('pages with secrets are never compressed', async (t) => {
  const { address } = await serve(t, { setupMode: true })
  for (const page of [`${address}/setup`, `${world.service.url}/auth/login`, `${world.service.url}/setup`]) {
    const answer = await raw(page, { 'accept-encoding': 'br, gzip', accept: 'text/html' })
    t.match(answer.headers['content-type'], /^text\/html/, page)
    t.notOk('content-encoding' in answer.headers, page)
  }
})

t.test('a scrape is compressed for who asks for it', async (t) => {
  const [plain, packed] = [await get('/metrics'), await get('/metrics', 'gzip')]
  t.notOk('content-encoding' in plain.headers)
  t.equal(packed.headers['content-encoding'], 'gzip')
  t.match(open(packed), /^svc_build_info/m)
})

t.test('the body of a request is taken as it is', async (t) => {
  const { status, body } = await raw(
    `${world.service.url}/v1/unlock`,
    { authorization, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    'POST',
    Buffer.from('{"repo": "acme/infra", "stack_key": "none"}'),
  )
  t.equal(status, 404, body.toString())
})

t.test('a client that leaves in the middle of a large answer does no harm', async (t) => {
  await new Promise<void>((resolve) => {
    const headers = { authorization, 'accept-encoding': 'gzip' }
    const asked = request(`${world.service.url}/v1/runs/${many.id}`, { headers }, (answer) => {
      answer.once('data', () => answer.destroy())
      answer.once('close', resolve)
    })
    asked.end()
  })
  t.equal((await send(world, key, `/v1/runs/${many.id}`)).body.stacks.length, 40)
})
