import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { testDatabase } from '#test/helpers/database.ts'
import { until } from '#test/helpers/until.ts'
import { type Answer, addKey, addRepository, headSha, openPull, query, serve } from '#test/scenes/served.ts'
import { severable } from '#test/scenes/severable.ts'

const service = await serve(t)
await addRepository(service.databaseUrl)
const { send, call } = service

const runPath = `/v1/runs/${randomUUID()}`
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What every error answer has (docs/interface.md, 'Errors'). */
const isError = (t: Test, answer: Answer, status: number, code: string, message: RegExp, what: string) => {
  t.match(answer, { status, json: { code, message } }, what)
  t.same(
    Object.keys(answer.json).filter((key: string) => !['code', 'message', 'details'].includes(key)),
    [],
    what,
  )
  t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8', what)
  t.equal(answer.headers.get('cache-control'), 'no-store', what)
  t.ok(answer.headers.get('x-request-id'), what)
}

/** A request sent as written, for what fetch would not send. */
const raw = (text: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.address).port), '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', body = ''] = received.split('\r\n\r\n')
      const [line = '', ...fields] = head.split('\r\n')
      const headers = new Headers(fields.map((field) => field.split(': ') as [string, string]))
      resolve({ status: Number(line.split(' ')[1]), headers, text: body, json: JSON.parse(body || '{}') })
    })
    socket.write(text)
  })

t.test('unknown paths of the API are 404 as JSON, with or without credentials or a body', async (t) => {
  const cases: [method: string, path: string, init?: RequestInit][] = [
    ['GET', '/v1'],
    ['GET', '/v1/'],
    ['GET', '/v1/nothing'],
    ['GET', '/v1?x=1'],
    ['GET', '/auth/nothing'],
    ['DELETE', '/v1/runs'],
    ['POST', '/v1/nothing', { body: 'hello', headers: { 'content-type': 'text/plain' } }],
    ['POST', '/v1/nothing', { body: 'x'.repeat(2 * 1024 * 1024) }],
    ['GET', `${runPath}/stacks/aws/prod/plan`],
    ['POST', '/somewhere', { body: '{}' }],
  ]
  for (const [method, path, init] of cases) {
    isError(t, await send(path, { method, ...init }), 404, 'not_found', /nothing answers/, `${method} ${path}`)
  }
})

t.test('a path with bad encoding is 400, and one too long to be a name is 404', async (t) => {
  isError(t, await send('/v1/runs/%zz'), 400, 'invalid', /percent-encoding/, 'bad encoding')
  const long = `/v1/runs/x/stacks/${'a'.repeat(5000)}/result`
  isError(t, await call('POST', long, {}), 404, 'not_found', /a name this long/, 'long')
})

t.test('broken HTTP is answered like everything else', async (t) => {
  isError(t, await raw('hello\r\n\r\n'), 400, 'invalid', /not a readable HTTP request/, 'no HTTP')
  const header = `GET /healthz HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(20_000)}\r\n\r\n`
  isError(t, await raw(header), 400, 'invalid', /headers are larger/, 'headers')
  const [path, close] = ['/v1/nothing', 'connection: close\r\n\r\n']
  for (const [what, request] of [
    ['no host', `GET ${path} HTTP/1.1\r\n${close}`],
    ['a whole address', `GET http://svc.example.com${path} HTTP/1.1\r\nhost: x\r\n${close}`],
    ['an expectation', `POST ${path} HTTP/1.1\r\nhost: x\r\nexpect: wonders\r\ncontent-length: 0\r\n${close}`],
  ] as const) {
    isError(t, await raw(request), 404, 'not_found', /nothing answers/, what)
  }
})

t.test('a valid X-Request-Id comes back, an invalid one is replaced', async (t) => {
  const cases: [given: string, valid: boolean][] = [
    ['abc-123', true],
    ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', true],
    ['Root=1-67891233-abcdef012345678912345678', true],
    ['a'.repeat(128), true],
    ['a'.repeat(129), false],
    ['with space', false],
    ['"quoted"', false],
  ]
  for (const [given, valid] of cases) {
    const answer = await send('/healthz', { headers: { 'x-request-id': given } })
    const id = answer.headers.get('x-request-id') ?? ''
    if (valid) t.equal(id, given)
    else t.match(id, uuid, given)
  }
  t.match((await send('/healthz')).headers.get('x-request-id'), uuid)
  t.match((await send('/v1/runs/%zz')).headers.get('x-request-id'), uuid)
})

t.test('every answer is closed to browsers', async (t) => {
  for (const path of ['/healthz', '/v1/nothing', '/v1/runs/%zz', runPath, '/']) {
    const { headers } = await send(path)
    t.equal(headers.get('x-content-type-options'), 'nosniff', path)
    t.equal(headers.get('x-frame-options'), 'DENY', path)
    t.match(headers.get('content-security-policy'), /^default-src 'none';.*frame-ancestors 'none'/, path)
    t.equal(headers.get('strict-transport-security'), 'max-age=31536000', path)
  }
})

const post = async (init: Pick<RequestInit, 'body'> & { headers?: Record<string, string> }): Promise<Answer> =>
  send('/v1/runs', {
    method: 'POST',
    ...init,
    headers: { authorization: `Bearer ${await service.token()}`, ...init.headers },
  })

const json = { 'content-type': 'application/json' }
/** Let in and understood: the command says what is wrong. */
const understood = { status: 400, json: { details: { field: 'repo' } } }

t.test('bodies are JSON by their content type, or have none', async (t) => {
  const bytes = Buffer.from('{"mode":"plan"}')
  t.match(await post({ body: bytes, headers: json }), understood, 'application/json')
  t.match(await post({ body: bytes, headers: { 'content-type': 'application/json; charset=utf-8' } }), understood)
  t.match(await post({ body: bytes, headers: { 'content-type': 'Application/JSON' } }), understood, 'letter case')
  t.match(await post({ body: bytes }), understood, 'none')
  for (const type of ['text/plain', 'application/jsonx', 'application/x-www-form-urlencoded', 'nonsense', 'a/b/c']) {
    const answer = await post({ body: bytes, headers: { 'content-type': type } })
    isError(t, answer, 400, 'invalid', /Content-Type: must be application\/json/, type)
    t.match(answer.json.details, { field: 'Content-Type', reason: /application\/json/ })
  }
})

t.test('a body is exactly one JSON value', async (t) => {
  const cases: [what: string, body: string, message: RegExp][] = [
    ['no JSON', 'hello', /body: must be exactly one JSON value/],
    ['half a value', '{"mode":', /body: must be exactly one JSON value/],
    ['two values', '{} {}', /body: must be exactly one JSON value/],
    ['something after it', '{}x', /body: must be exactly one JSON value/],
    ['nothing', '', /body: is (empty|missing)/],
    ['white space', ' \n ', /body: is empty/],
    ['a list', '[]', /body: must be an object/],
    ['null', 'null', /body: must be an object/],
    ['a character that cannot be stored', '{"mode":"a\\u0000"}', /U\+0000/],
  ]
  for (const [what, body, message] of cases) {
    const answer = await post({ body, headers: json })
    isError(t, answer, 400, 'invalid', message, what)
    t.equal(answer.json.details.field, 'body', what)
  }
  isError(t, await post({}), 400, 'invalid', /body: must be an object/, 'no body at all')
  t.match(await post({ body: '\n{}\n', headers: json }), understood, 'white space around it')
  t.match(await post({ body: '{"x":"\\\\u0000"}', headers: json }), understood, 'an escaped backslash')
})

t.test('unknown fields are ignored, whatever their names', async (t) => {
  const body = '{"colour":"blue","__proto__":{"mode":"apply"},"constructor":1,"mode":"plan"}'
  t.match(await post({ body, headers: json }), understood)
})

t.test('a problem names its field and says what would be right', async (t) => {
  const cases: [body: object, field: string, reason: RegExp][] = [
    [{ mode: 'destroy' }, 'mode', /^must be one of plan, apply, drift$/],
    [{ trigger: 5 }, 'trigger', /^must be one of pull_request, comment/],
    [{ pr_number: '12' }, 'pr_number', /^must be an? (integer|number)$/],
    [{ pr_number: 1.5 }, 'pr_number', /^must be an integer$/],
    [{ pr_number: 0 }, 'pr_number', /^must be 1 or more$|more/],
    [{ run_id: 'x' }, 'run_id', /^must be a UUID$/],
    [{ sha: 'main' }, 'sha', /full commit id/],
    [{ repo: 'infra' }, 'repo', /owner\/name/],
    [{ stacks: 'aws' }, 'stacks', /^must be a list$/],
    [{ stacks: ['aws', 7] }, 'stacks[1]', /^must be a string$/],
  ]
  for (const [body, field, reason] of cases) {
    const answer = await post({ body: JSON.stringify(body), headers: json })
    isError(t, answer, 400, 'invalid', new RegExp(`^${field.replaceAll(/[[\]]/g, '\\$&')}: `), JSON.stringify(body))
    t.match(answer.json.details, { field, reason })
  }
  const two = await post({ body: '{"mode":"x","sha":"y"}', headers: json })
  t.match(two.json.message, /and one more field is wrong/)
})

t.test('null and the empty string mean an absent field', async (t) => {
  const body = { mode: '', run_id: null, trigger: '', pr_number: null, stacks: null }
  t.match(await post({ body: JSON.stringify(body), headers: json }), understood)
})

t.test('parameters are checked too', async (t) => {
  const key = await addKey(service.databaseUrl, 'params')
  const result = { mode: 'plan', status: 'success' }
  const run = randomUUID()
  const cases: [path: string, body: object, field: string, reason: RegExp][] = [
    ['/v1/runs/x/stacks/a/result', result, 'id', /UUID/],
    [`/v1/runs/${run}/stacks/a%00/result`, result, 'key', /U\+0000/],
    [`/v1/runs/${run}/stacks/a/checks/plan`, { status: 'pass' }, 'name', /not resolve, plan or apply/],
    [`/v1/runs/${run}/stacks/a/checks/a%20b`, { status: 'pass' }, 'name', /letters, digits/],
    [`/v1/runs/${run}/stacks/a/checks/${'a'.repeat(65)}`, { status: 'pass' }, 'name', /up to 64/],
  ]
  for (const [path, body, field, reason] of cases) {
    const answer = await call('POST', path, body, key)
    isError(t, answer, 400, 'invalid', reason, path)
    t.equal(answer.json.details.field, field, path)
  }
})

t.test('a body over the limit is 413: 8 MB for a graph, 1 MB elsewhere', async (t) => {
  const mb = 1024 * 1024
  const padded = (bytes: number) => `{"mode":"plan"}${' '.repeat(bytes - 15)}`
  t.match(await post({ body: padded(mb), headers: json }), understood, '1 MB')
  isError(t, await post({ body: padded(mb + 1), headers: json }), 413, 'invalid', /limit of 1 MB/, 'a byte more')
  const chunked = new ReadableStream({
    start: (controller) => {
      controller.enqueue(Buffer.from(padded(mb + 1)))
      controller.close()
    },
  })
  const stream = { body: chunked, headers: json, duplex: 'half' } as const
  isError(t, await post(stream), 413, 'invalid', /limit of 1 MB/, 'of unknown length')
  const graph = `${runPath}/graph`
  isError(t, await call('POST', graph, ' '.repeat(8 * mb + 1)), 413, 'invalid', /limit of 8 MB/, 'graph')
  isError(t, await call('POST', graph, padded(8 * mb)), 404, 'not_found', /does not exist/, 'a graph of 8 MB')
  for (const path of [`${runPath}/stacks/a/result`, `${runPath}/stacks/a/checks/b`]) {
    isError(t, await call('POST', path, padded(mb + 1)), 413, 'invalid', /limit of 1 MB/, path)
  }
})

t.test('the graph route reads its body as the other routes do', async (t) => {
  const graph = `${runPath}/graph`
  isError(t, await call('POST', graph, ''), 400, 'invalid', /body: is empty/, 'empty')
  const token = await service.token()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' }
  isError(t, await send(graph, { method: 'POST', body: '{}', headers }), 400, 'invalid', /Content-Type/, 'text')
})

t.test('an unexpected error shows only its request id; the log has the details', async (t) => {
  const broken = await serve(t)
  await addRepository(broken.databaseUrl)
  await query(broken.databaseUrl, ['alter table runs rename to gone'])
  const answer = await broken.call('GET', runPath)
  isError(t, answer, 500, 'internal', /^something went wrong in the service/, 'a table that is gone')
  t.notMatch(answer.text, /runs.*exist|relation/)
  const id = answer.headers.get('x-request-id') ?? ''
  const line = broken.lines.find((text) => text.includes(id) && text.includes('unexpected error')) ?? ''
  t.match(JSON.parse(line), {
    request_id: id,
    err: { message: /relation "runs" does not exist/, code: '42P01', stack: /at / },
    route: '/v1/runs/:id',
  })
})

t.test(
  'the log line of an unexpected error contains no value of the request, even if the database repeats them',
  async (t) => {
    const broken = await serve(t)
    await addRepository(broken.databaseUrl)
    await query(broken.databaseUrl, ['alter table pull_requests add column extra text not null'])
    const register = { repo: 'acme/infra', sha: headSha, pr_number: 12, base_sha: 'd'.repeat(40) }
    broken.pulls.set(12, openPull({ baseRef: 'a-branch-that-nobody-should-read-of' }))
    isError(t, await broken.call('POST', '/v1/runs', register), 500, 'internal', /./, 'a column that is not filled')
    const line = broken.lines.find((text) => text.includes('unexpected error')) ?? ''
    t.match(line, /null value in column .*extra/)
    t.notMatch(line, 'a-branch-that-nobody-should-read-of')
  },
)

t.test('a database that cannot be reached is 503', async (t) => {
  const line = await severable(t, (await testDatabase(t)).url)
  const down = await serve(t, { databaseUrl: line.url })
  t.match(await down.call('GET', runPath, undefined, 'sk_key'), { status: 401 }, 'while it can be reached')
  await line.sever()
  isError(t, await down.call('GET', runPath), 503, 'unavailable', /database cannot be reached/, 'a job')
  const answer = await down.call('GET', runPath, undefined, 'sk_key')
  isError(t, answer, 503, 'unavailable', /database cannot be reached/, 'a key')
  t.notMatch(answer.text, /ECONNREFUSED|127\.0\.0\.1/)
})

t.test('what stands in the query of an address is in no line of the log', async (t) => {
  const ask = async (path: string) => (await call('GET', `${path}?code=do-not-tell`)).headers.get('x-request-id')
  await ask('/v1/%zz')
  for (const path of ['/v1/nothing', '/auth/callback', '/elsewhere', '/v1/runs/no-id', runPath]) {
    const id = await ask(path)
    await until(() => service.lines.some((line) => JSON.parse(line).request_id === id))
  }
  t.notMatch(service.lines.join(''), 'do-not-tell')
})
