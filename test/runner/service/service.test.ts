import type { ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { limits } from '#domain/limits.ts'
import { Problem } from '#errors.ts'
import { exitOf } from '#runner/exit.ts'
import { isUnreachable } from '#runner/service/attempts.ts'
import { describeProblem } from '#runner/service/describe-problem.ts'
import { createService, serviceAddress } from '#runner/service/service.ts'
import { json, serverFor, tokenServer } from '../token-server.ts'

const run = '8df09afa-bc3c-4191-be17-83c114311d67'
const check = { name: 'policy', status: 'pass', updated_at: '2026-01-31T12:00:00Z' }

type Answer = (response: ServerResponse) => void

/** A service that answers as the script says, the last answer again and again, and an impatient client of it. */
const scripted = async (t: Test, ...script: Answer[]) => {
  const { url, asked } = await serverFor(t, (_asked, response) =>
    script[Math.min(asked.length, script.length) - 1]?.(response),
  )
  let minted = 0
  const tokens = await tokenServer(t, () => `token-${++minted}`)
  const retries: string[] = []
  const service = createService({
    url,
    idToken: { url: tokens.env.ACTIONS_ID_TOKEN_REQUEST_URL, token: tokens.env.ACTIONS_ID_TOKEN_REQUEST_TOKEN },
    onRetry: (message) => retries.push(message),
    pace: { delays: [1, 2, 3], attemptMs: 1000 },
  })
  const post = () => service.postCheck(run, 'aws/prod', 'policy', { status: 'pass' })
  return { url, asked, retries, audiences: tokens.audiences, service, post }
}

const problemOf = async (work: () => Promise<unknown>): Promise<Problem> => {
  try {
    await work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

const ok: Answer = (response) => json(response, 200, check)
const broken: Answer = (response) => json(response, 500, { code: 'internal', message: 'oops' })

t.test('a request without an answer, or with a 5xx, is tried again, each time with a fresh token', async (t) => {
  const hangUp: Answer = (response) => response.destroy()
  const { asked, audiences, post, retries, url } = await scripted(t, broken, hangUp, ok)
  t.match(await post(), check)
  t.same(
    asked.map(({ authorization }) => authorization),
    ['Bearer token-1', 'Bearer token-2', 'Bearer token-3'],
  )
  t.same(audiences, [url, url, url], 'the audience is the address')
  t.equal(retries.length, 2)
  t.match(retries[0], /answered 500 internal: oops \(request request-1\); trying again in 1 ms/)
})

t.test('after four attempts the service counts as unreachable', async (t) => {
  const { asked, post } = await scripted(t, broken)
  const problem = await problemOf(post)
  t.equal(asked.length, 4)
  t.ok(isUnreachable(problem))
  t.equal(exitOf(problem), 1)
})

t.test('an attempt that takes too long is given up', async (t) => {
  const never: Answer = () => {}
  const { asked, post } = await scripted(t, never, ok)
  t.match(await post(), check)
  t.equal(asked.length, 2)
})

t.test('an answer cut short counts as none', async (t) => {
  const half: Answer = (response) => {
    response.writeHead(200, { 'content-length': '500' })
    response.write('{"name":')
    setImmediate(() => response.destroy())
  }
  const { asked, post } = await scripted(t, half, ok)
  t.match(await post(), check)
  t.equal(asked.length, 2)
})

t.test('a 4xx is final, and says why', async (t) => {
  const locks = [{ stack_id: run, stack_key: 'aws/prod', pr_number: 7 }]
  const failures = [{ layer: 'approval', name: 'approvals', reason: '1 more is needed', stacks: ['aws/prod'] }]
  const table = [
    // status, body, exit status, what is said
    [400, { code: 'invalid', message: 'mode: must be plan' }, 1, /answered 400 invalid: mode: must be plan$/],
    [401, { code: 'unauthorized', message: 'used before' }, 1, /used before$/],
    [403, { code: 'forbidden', message: 'no' }, 3, /403 forbidden: no$/],
    [404, { code: 'not_found', message: 'no' }, 1, /404/],
    [409, { code: 'conflict', message: 'no' }, 3, /conflict/],
    [409, { code: 'superseded', message: 'no' }, 3, /superseded/],
    [
      409,
      { code: 'refused', message: 'no', details: { failures } },
      3,
      /\n {2}approval: 1 more is needed \(aws\/prod\)$/,
    ],
    [
      423,
      { code: 'locked', message: 'no', details: { conflicts: locks } },
      3,
      /\n {2}aws\/prod is locked by pull request #7$/,
    ],
    [403, 'a proxy says no', 3, /answered 403, not as the service does: "a proxy says no"$/],
    [413, {}, 1, /answered 413/],
  ] as const
  for (const [status, body, code, said] of table) {
    const { asked, post } = await scripted(t, (response) => json(response, status, body))
    const problem = await problemOf(post)
    t.match(describeProblem(problem), said)
    t.same(
      [asked.length, exitOf(problem), isUnreachable(problem)],
      [1, code, false],
      `${status} ${JSON.stringify(body)}`,
    )
  }
})

t.test("an answer that is not the service's is reported as such", async (t) => {
  const moved: Answer = (response) => response.writeHead(301, { location: 'https://elsewhere.example/' }).end()
  const page: Answer = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  const other: Answer = (response) => json(response, 200, { ...check, status: 'splendid' })
  for (const [answer, said] of [
    [moved, /redirects to https:\/\/elsewhere\.example\/: SVC_URL must be its own address/],
    [page, /the answer is not what this version of svc knows \(the body: .*is SVC_URL/],
    [other, /\(status: /],
  ] as const) {
    const { asked, post } = await scripted(t, answer)
    t.match((await problemOf(post)).message, said)
    t.equal(asked.length, 1)
  }
})

t.test('a refused token is not asked for again, one that cannot be had for now is', async (t) => {
  for (const [status, attempts, said] of [
    [401, 1, /the code host answered 401 when asked for the job's OIDC token/],
    [503, 4, /answered 503/],
  ] as const) {
    const { url, asked } = await serverFor(t, (_, response) => json(response, status, {}))
    const service = createService({
      url: 'http://127.0.0.1:9',
      idToken: { url: `${url}/token`, token: 'x' },
      onRetry: () => {},
      pace: { delays: [1, 1, 1], attemptMs: 1000 },
    })
    t.match((await problemOf(() => service.postCheck(run, 'a', 'b', { status: 'pass' }))).message, said)
    t.equal(asked.length, attempts)
    t.same(asked[0]?.path, '/token?audience=http%3A%2F%2F127.0.0.1%3A9')
  }
})

t.test('keys are one segment of the path, whatever they hold', async (t) => {
  const { asked, service } = await scripted(t, ok)
  const table = [
    ['aws/prod', 'aws%2Fprod'],
    ['app:blue', 'app%3Ablue'],
    ['.', '%2E'],
    ['100% "größe"?#', '100%25%20%22gr%C3%B6%C3%9Fe%22%3F%23'],
  ] as const
  for (const [key] of table) await service.postCheck(run, key, 'policy', { status: 'pass' })
  t.same(
    asked.map(({ path }) => path),
    table.map(([, segment]) => `/v1/runs/${run}/stacks/${segment}/checks/policy`),
  )
})

t.test('a body above the limit is not sent', async (t) => {
  const { asked, audiences, service } = await scripted(t, ok)
  const problem = await problemOf(() => service.uploadGraph(run, 'x'.repeat(limits.graphBodyBytes + 1)))
  t.match(problem.message, /the body has 8388609 bytes, but the service accepts 8388608/)
  t.same([asked.length, audiences.length], [0, 0])
})

t.test('the address is taken without the slash at its end, and must be an address', (t) => {
  t.equal(serviceAddress('https://svc.example.com/base//'), 'https://svc.example.com/base')
  for (const text of ['svc.example.com', 'ftp://svc.example.com', 'https://svc.example.com/?a', 'https://a/#b', ''])
    t.throws(() => serviceAddress(text), /SVC_URL/, text)
  t.throws(() => serviceAddress('https://ada:pa55word@svc.example.com'), {
    message: 'SVC_URL: has a user or a password in it: none is sent, and messages would show it',
  })
  t.end()
})

t.test('an address with a path keeps it', async (t) => {
  const { url, asked } = await serverFor(t, (_, response) => json(response, 200, check))
  const tokens = await tokenServer(t, () => 'token')
  const idToken = { url: tokens.env.ACTIONS_ID_TOKEN_REQUEST_URL, token: 'request-token' }
  const service = createService({ url: `${url}/under/`, audience: 'me', idToken, onRetry: () => {} })
  await service.postCheck(run, 'a', 'policy', { status: 'warn', summary: 's' })
  t.match(asked[0], {
    method: 'POST',
    path: `/under/v1/runs/${run}/stacks/a/checks/policy`,
    body: { status: 'warn', summary: 's' },
  })
  t.same(tokens.audiences, ['me'])
})
