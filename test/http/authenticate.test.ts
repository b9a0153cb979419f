import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { createBatch } from '#db/batch.ts'
import { enforceCallers } from '#http/enforce-callers.ts'
import { type Answer, addKey, addRepository, type Claims, now, query, type Served, serve } from '#test/scenes/served.ts'

const path = `/v1/runs/${randomUUID()}`

/** Let in, and then 404: the run asked for does not exist. */
const isLetIn = (t: Test, answer: Answer, what: string) =>
  t.match(answer, { status: 404, json: { code: 'not_found' } }, what)

const isRefused = (t: Test, answer: Answer, status: number, code: string, message: RegExp, what: string) => {
  t.match(answer, { status, json: { code, message } }, what)
  const challenge = answer.headers.get('www-authenticate')
  t.equal(challenge, status === 401 ? 'Bearer realm="svc"' : null, `${what}: challenge`)
}

const served = async (t: Test, options: Parameters<typeof serve>[1] = {}): Promise<Served> => {
  const service = await serve(t, options)
  await addRepository(service.databaseUrl)
  return service
}

/** Shared by most tests; tests that change the time, the issuer or the settings start their own. */
const shared = await served(t)

t.test('a job is let in with its own token', async (t) => {
  const { call } = shared
  isLetIn(t, await call('GET', path), 'a token')
})

t.test('unusable credentials are 401 with a challenge', async (t) => {
  const { send, token } = shared
  const seconds = now.getTime() / 1000
  const withToken = async (changes: Claims) => ({ authorization: `Bearer ${await token(changes)}` })
  const cases: [what: string, headers: Record<string, string>, message: RegExp][] = [
    ['none', {}, /no credentials: sign in, or send Authorization: Bearer/],
    ['a made-up session', { cookie: 'svc_session=abc' }, /the session has ended: sign in again/],
    ['another scheme', { authorization: 'Basic dTpw' }, /must be Bearer/],
    ['an empty bearer', { authorization: 'Bearer' }, /must be Bearer/],
    ['two bearers', { authorization: 'Bearer a b' }, /must be Bearer/],
    ['nonsense', { authorization: 'Bearer hello' }, /neither an API key \(sk_…\) nor a token/],
    ['an unknown API key', { authorization: 'Bearer sk_unknown' }, /unknown or revoked/],
    ['another audience', await withToken({ aud: 'https://github.com/acme' }), /audience/],
    ['another issuer', await withToken({ iss: 'https://evil.example.com' }), /issuer/],
    ['an old token', await withToken({ iat: seconds - 601 }), /more than 10 minutes ago/],
  ]
  for (const [what, headers, message] of cases) {
    isRefused(t, await send(path, { headers }), 401, 'unauthorized', message, what)
  }
})

t.test('the scheme may be written in any letter case', async (t) => {
  const { send, token } = shared
  isLetIn(t, await send(path, { headers: { authorization: `bearer ${await token()}` } }), 'bearer')
})

t.test('a token is good for one request', async (t) => {
  const { call, token, databaseUrl } = shared
  const used = await token({ jti: 'jti-of-this-token' })
  isLetIn(t, await call('GET', path, undefined, used), 'the first time')
  isRefused(t, await call('GET', path, undefined, used), 401, 'unauthorized', /already used/, 'the second time')
  const again = await token({ jti: 'jti-of-this-token', run_attempt: '2' })
  isRefused(
    t,
    await call('GET', path, undefined, again),
    401,
    'unauthorized',
    /already used/,
    'its id in another token',
  )
  const rows = await query(databaseUrl, ['select jti_hash from used_tokens'])
  t.notMatch(JSON.stringify(rows), 'jti-of-this-token', 'ids are stored hashed')
})

t.test('of many requests with one token at once, one is let in', async (t) => {
  const { call, token } = shared
  const used = await token()
  const answers = await Promise.all(Array.from({ length: 12 }, () => call('GET', path, undefined, used)))
  t.same(answers.map(({ status }) => status).sort(), [...Array.from({ length: 11 }, () => 401), 404])
})

t.test('many jobs at once are each let in', async (t) => {
  const { call } = shared
  const answers = await Promise.all(Array.from({ length: 40 }, () => call('GET', path)))
  t.ok(answers.every(({ status }) => status === 404))
})

t.test('a token used without success is still used', async (t) => {
  const { call, token } = shared
  const used = await token({ repository_id: '99', repository: 'acme/other' })
  isRefused(
    t,
    await call('GET', path, undefined, used),
    403,
    'forbidden',
    /acme\/other is not known/,
    'unknown repository',
  )
  isRefused(t, await call('GET', path, undefined, used), 401, 'unauthorized', /already used/, 'again')
})

t.test('a repository must be known, and its installation not suspended', async (t) => {
  const { call, databaseUrl } = shared
  await query(databaseUrl, ['update installations set suspended_at = now()'])
  isRefused(t, await call('GET', path), 403, 'forbidden', /installation of the app on acme is suspended/, 'suspended')
  await query(databaseUrl, ['update installations set suspended_at = null'])
  isLetIn(t, await call('GET', path), 'unsuspended')
  await query(databaseUrl, ['update repositories set removed_at = now()'])
  isRefused(t, await call('GET', path), 403, 'forbidden', /not known to this service: install the app/, 'removed')
  await query(databaseUrl, ['update repositories set removed_at = null'])
})

t.test('the job’s workflow must match SVC_REQUIRED_WORKFLOW_REF', async (t) => {
  const { call, token } = await served(t, { requiredWorkflowRef: 'acme/ci/.github/workflows/*.yml@refs/heads/*' })
  const credential = await token({ job_workflow_ref: 'acme/ci/.github/workflows/plan.yml@refs/heads/release/1' })
  isLetIn(t, await call('GET', path, undefined, credential), 'the shared workflow')
  isRefused(
    t,
    await call('GET', path),
    403,
    'forbidden',
    /acme\/infra.*plan\.yml.*not allowed here/,
    'its own workflow',
  )
  for (const [what, ref] of Object.entries({ none: undefined, 'an empty one': '' })) {
    const unnamed = await token({ job_workflow_ref: ref })
    isRefused(t, await call('GET', path, undefined, unnamed), 403, 'forbidden', /no job_workflow_ref claim/, what)
    isLetIn(
      t,
      await shared.call('GET', path, undefined, await shared.token({ job_workflow_ref: ref })),
      `${what}, if any`,
    )
  }
})

t.test('without the issuer’s keys it is 503', async (t) => {
  const { call, close } = await served(t)
  await close()
  isRefused(t, await call('GET', path), 503, 'unavailable', /signing keys/, 'no keys')
})

t.test('automation is let in with an API key until it is revoked', async (t) => {
  const { call, databaseUrl } = shared
  const key = await addKey(databaseUrl, 'deploy')
  isLetIn(t, await call('GET', path, undefined, key), 'the key')
  isLetIn(t, await call('GET', path, undefined, key), 'any number of times')
  await query(databaseUrl, ['update api_keys set revoked_at = now()'])
  isRefused(t, await call('GET', path, undefined, key), 401, 'unauthorized', /unknown or revoked/, 'revoked')
})

t.test('failures count for the client behind a trusted proxy, and for nobody that it only names', async (t) => {
  const attempts = async (trustProxy: number | string[] | undefined, addresses: (number: number) => string) => {
    const { send } = await served(t, { trustProxy })
    const answers: string[] = []
    for (let number = 0; number < 21; number += 1) {
      const headers = { authorization: 'Bearer sk_gone', 'x-forwarded-for': addresses(number) }
      answers.push((await send(path, { headers })).json.message)
    }
    return answers.filter((message) => /failed too often/.test(message)).length
  }
  const different = (number: number) => `192.0.2.${number}`
  const invented = (number: number) => `${different(number)}, 198.51.100.1`
  t.equal(await attempts(undefined, different), 1, 'no proxy is trusted unless it is named: the header is ignored')
  t.equal(await attempts(['127.0.0.1'], different), 0, 'a named one tells clients apart')
  t.equal(await attempts(['127.0.0.1'], invented), 1, 'what the client said of itself is ignored')
  t.equal(await attempts(['10.0.0.0/8'], different), 1, 'another one is not trusted')
  t.equal(await attempts(1, different), 0, 'one proxy is in front')
  t.equal(await attempts(1, invented), 1)
  t.equal(await attempts(2, invented), 0, 'two are: the outer one saw another client each time')
})

t.test('an API key may not do what only a job can do', async (t) => {
  const { call, databaseUrl } = shared
  const key = await addKey(databaseUrl, 'deploy')
  isRefused(t, await call('POST', `${path}/graph`, {}, key), 403, 'forbidden', /only a CI job/, 'graph')
})

t.test('a credential that failed 20 times in a minute is refused without a check for a minute', async (t) => {
  const { call, clock, databaseUrl } = await served(t)
  const key = await addKey(databaseUrl, 'deploy')
  await query(databaseUrl, ['update api_keys set revoked_at = now()'])
  const tryIt = () => call('GET', path, undefined, key)
  for (let tries = 0; tries < 20; tries += 1) t.match((await tryIt()).json.message, /unknown or revoked/)
  // with a check, it would be let in now
  await query(databaseUrl, ['update api_keys set revoked_at = null'])
  isRefused(t, await tryIt(), 401, 'unauthorized', /failed too often/, 'the 21st time')
  isRefused(t, await call('GET', path, undefined, 'sk_other'), 401, 'unauthorized', /unknown or revoked/, 'another key')
  clock.at = new Date(now.getTime() + 59_999)
  isRefused(t, await tryIt(), 401, 'unauthorized', /failed too often/, 'just before a minute')
  clock.at = new Date(now.getTime() + 60_000)
  isLetIn(t, await tryIt(), 'a minute later')
})

t.test('failures more than a minute apart do not add up', async (t) => {
  const { call, clock } = await served(t)
  for (let tries = 0; tries < 19; tries += 1) await call('GET', path, undefined, 'sk_unknown')
  clock.at = new Date(now.getTime() + 60_001)
  await call('GET', path, undefined, 'sk_unknown')
  t.match((await call('GET', path, undefined, 'sk_unknown')).json.message, /unknown or revoked/)
})

t.test('no log line contains credentials', async (t) => {
  const { call, lines, token } = shared
  const secret = await token({ aud: 'another' })
  await call('GET', path, undefined, secret)
  await call('GET', path, undefined, 'sk_secret-key')
  t.ok(lines.length >= 2)
  t.notMatch(lines.join(''), secret)
  t.notMatch(lines.join(''), 'sk_secret-key')
})

t.test('questions asked together share a statement, and each gets its answer', async (t) => {
  const asked: number[][] = []
  const square = createBatch(async (numbers: number[]) => {
    asked.push(numbers)
    if (numbers.includes(0)) throw new Error('no square')
    return (number: number) => number * number
  })
  t.same(await Promise.all([1, 2, 3].map(square)), [1, 4, 9])
  const failing = await Promise.allSettled([4, 0].map(square))
  t.same(
    failing.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  const first = square(5)
  await new Promise(setImmediate)
  t.same(await Promise.all([first, square(6), square(7)]), [25, 36, 49])
  t.same(asked, [[1, 2, 3], [4, 0], [5], [6, 7]], 'questions that come while one is under way share the next')
})

const nobodyElse = {
  session: async () => undefined,
  sameOrigin: () => {},
  metricsToken: () => {},
  signatureHeader: () => {},
  signature: () => {},
}

t.test('the service does not start if a route does not name its callers', async (t) => {
  const app = Fastify()
  enforceCallers(app, { bearer: () => Promise.reject(), ...nobodyElse })
  t.throws(() => app.get('/open', async () => 'hello'), /GET \/open does not name its callers/)
})

t.test('what cannot be a key is 401 on a route for people, before anything is looked up', async (t) => {
  const { call, token } = shared
  const unknown = { repository_id: '70', repository: 'acme/unknown' }
  const stranger = await token(unknown)
  isRefused(t, await call('GET', path, undefined, stranger), 403, 'forbidden', /is not known/, 'a route for jobs')
  const message = /tokens of CI jobs are not accepted here: use an API key/
  for (const [what, bearer] of Object.entries({
    'a stranger': await token(unknown),
    'a job': await token(),
    nonsense: 'hello',
  }))
    isRefused(t, await call('GET', '/v1/me', undefined, bearer), 401, 'unauthorized', message, what)
  const kept = await token()
  isRefused(t, await call('GET', '/v1/me', undefined, kept), 401, 'unauthorized', message, 'not used up by it')
  isLetIn(t, await call('GET', path, undefined, kept), 'where jobs are admitted')
})
