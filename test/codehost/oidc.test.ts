import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose'
import t, { type Test } from 'tap'
import { createOidcVerifier, type OidcOptions } from '#codehost/oidc.ts'
import { Problem } from '#errors.ts'

const issuer = 'https://token.example.com'
const audience = 'https://svc.example.com'
const now = new Date('2026-03-01T12:00:00Z')
const seconds = now.getTime() / 1000

const claims = {
  jti: 'token-1',
  sub: 'repo:acme@1/infra@7:pull_request',
  repository_id: '7',
  repository: 'acme/infra',
  event_name: 'pull_request',
  ref: 'refs/pull/12/merge',
  sha: 'a'.repeat(40),
  run_id: '1001',
  run_attempt: '2',
  workflow_ref: 'acme/infra/.github/workflows/plan.yml@refs/pull/12/merge',
  job_workflow_ref: 'acme/ci/.github/workflows/plan.yml@refs/heads/main',
}

const makeKey = async (kid: string) => {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } as JWK }
}

type Key = Awaited<ReturnType<typeof makeKey>>

const [first, second, stranger] = await Promise.all([makeKey('first'), makeKey('second'), makeKey('first')])

/** The issuer's key set over HTTP; `keys` is what it publishes, `answer` how it answers. */
const serveKeys = async (t: Test) => {
  const state = { keys: [first.jwk], status: 200, body: '', fetches: 0 }
  const server = createServer((_request, response) => {
    state.fetches += 1
    response.writeHead(state.status, { 'content-type': 'application/json' })
    response.end(state.body || JSON.stringify({ keys: state.keys }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise((resolve) => server.close(resolve))
  t.teardown(() => server.listening && close())
  const { port } = server.address() as AddressInfo
  return { state, close, url: `http://127.0.0.1:${port}/.well-known/jwks` }
}

const mint = (changes: Record<string, unknown> = {}, key: Key = first): Promise<string> => {
  const times = { iat: seconds, nbf: seconds - 600, exp: seconds + 300 }
  return new SignJWT({ iss: issuer, aud: audience, ...times, ...claims, ...changes })
    .setProtectedHeader({ alg: 'RS256', kid: key.kid })
    .sign(key.privateKey)
}

const verifierFor = (jwksUrl: string, more: Partial<OidcOptions> = {}) =>
  createOidcVerifier({ issuer, jwksUrl, audience, clock: { now: () => now }, ...more })

const refused = async (t: Test, verifying: Promise<unknown>, code: string, message: RegExp, what: string) => {
  const error = await verifying.then(
    () => undefined,
    (error: unknown) => error,
  )
  t.ok(error instanceof Problem, what)
  t.match(error, { code, message }, what)
}

t.test('the claims of a pull request job', async (t) => {
  const { url } = await serveKeys(t)
  t.same(await verifierFor(url)(await mint()), {
    repositoryId: 7,
    repository: 'acme/infra',
    event: 'pull_request',
    ref: 'refs/pull/12/merge',
    prNumber: 12,
    sha: 'a'.repeat(40),
    workflowRunId: 1001,
    workflowRunAttempt: 2,
    workflowRef: claims.workflow_ref,
    jobWorkflowRef: claims.job_workflow_ref,
    jti: 'token-1',
    issuedAt: now,
  })
})

t.test('the claims of a dispatched job: an environment, no pull request', async (t) => {
  const { url } = await serveKeys(t)
  const token = await mint({ event_name: 'workflow_dispatch', ref: 'refs/heads/main', environment: 'prod' })
  const read = await verifierFor(url)(token)
  t.match(read, { event: 'workflow_dispatch', ref: 'refs/heads/main', environment: 'prod' })
  t.notOk('prNumber' in read)
})

t.test('the pull request number is read from refs/pull/<n>/merge alone', async (t) => {
  const { url } = await serveKeys(t)
  for (const ref of ['refs/pull/12/head', 'refs/heads/refs/pull/12/merge', 'refs/pull/0/merge', 'refs/pull/1x/merge']) {
    t.notOk('prNumber' in (await verifierFor(url)(await mint({ ref }))), ref)
  }
})

const unusable: [what: string, changes: Record<string, unknown>, message: RegExp][] = [
  ['another issuer', { iss: 'https://evil.example.com' }, /another issuer than https:\/\/token\.example\.com/],
  ['the issuer with a slash', { iss: `${issuer}/` }, /another issuer/],
  ['another audience', { aud: 'https://github.com/acme' }, /another audience: request one for https:\/\/svc/],
  ['no audience', { aud: undefined }, /no aud claim/],
  ['issued 10 minutes and a second ago', { iat: seconds - 601 }, /issued more than 10 minutes ago/],
  ['issued in the future', { iat: seconds + 61 }, /iat|future/],
  ['expired for more than a minute', { exp: seconds - 61 }, /expired/],
  ['not valid yet for more than a minute', { nbf: seconds + 61 }, /nbf/],
  ['no time of issue', { iat: undefined }, /no iat claim/],
  ['no expiry', { exp: undefined }, /no exp claim/],
  ['no id', { jti: undefined }, /no jti claim/],
  ['an empty id', { jti: '' }, /jti claim is missing or not/],
  ['a repository id that is no string', { repository_id: 7 }, /repository_id claim is missing or not/],
  ['a repository id that is no number', { repository_id: 'seven' }, /repository_id/],
  ['no event', { event_name: undefined }, /event_name/],
  ['no workflow run', { run_id: undefined }, /run_id/],
  ['no attempt', { run_attempt: '' }, /run_attempt/],
  ['no commit', { sha: 'main' }, /sha/],
  ['a workflow that is no text', { job_workflow_ref: 7 }, /job_workflow_ref/],
]

t.test('a token that cannot be used is 401 and says why', async (t) => {
  const { url } = await serveKeys(t)
  const verify = verifierFor(url)
  for (const [what, changes, message] of unusable) {
    await refused(t, verify(await mint(changes)), 'unauthorized', message, what)
  }
})

const usable: [what: string, changes: Record<string, unknown>][] = [
  ['issued 10 minutes ago to the second', { iat: seconds - 600 }],
  ['issued by a clock a minute ahead', { iat: seconds + 60 }],
  ['expired for less than a minute', { exp: seconds - 59 }],
  ['valid in less than a minute', { nbf: seconds + 59 }],
  ['for several audiences', { aud: ['https://other.example.com', audience] }],
  ['of a commit with a SHA-256 id', { sha: 'b'.repeat(64) }],
]

t.test('clocks may differ by a minute', async (t) => {
  const { url } = await serveKeys(t)
  const verify = verifierFor(url)
  for (const [what, changes] of usable) t.match(await verify(await mint(changes)), { repositoryId: 7 }, what)
})

t.test('a token is trusted by its signature alone', async (t) => {
  const { url } = await serveKeys(t)
  const verify = verifierFor(url)
  const good = await mint()
  const [header, , signature] = good.split('.')
  const body = Buffer.from(JSON.stringify({ ...claims, iss: issuer, repository_id: '8' })).toString('base64url')
  await refused(t, verify(`${header}.${body}.${signature}`), 'unauthorized', /not signed by/, 'changed claims')
  await refused(t, verify(await mint({}, stranger)), 'unauthorized', /not signed by/, "another key under the key's id")
  await refused(t, verify(await mint({}, second)), 'unauthorized', /not signed by/, 'a key that is not in the set')
  const unsigned = new UnsecuredJWT({ ...claims, iss: issuer, aud: audience, iat: seconds, exp: seconds + 60 }).encode()
  await refused(t, verify(unsigned), 'unauthorized', /neither an API key/, 'no signature')
  const hmac = await new SignJWT({ ...claims, iss: issuer, aud: audience, iat: seconds, exp: seconds + 60 })
    .setProtectedHeader({ alg: 'HS256', kid: 'first' })
    .sign(Buffer.from(String(first.jwk.n)))
  await refused(t, verify(hmac), 'unauthorized', /neither an API key/, 'signed with the public key as a secret')
  await refused(t, verify('hello'), 'unauthorized', /neither an API key/, 'no token at all')
})

t.test('a required workflow that the job does not run is 403', async (t) => {
  const { url } = await serveKeys(t)
  const glob = 'acme/ci/.github/workflows/*@refs/heads/main'
  const requiredWorkflowRef = { glob, matches: (ref: string) => ref === claims.job_workflow_ref }
  const verify = verifierFor(url, { requiredWorkflowRef })
  t.match(await verify(await mint()), { repositoryId: 7 })
  const other = await mint({ job_workflow_ref: 'acme/infra/.github/workflows/own.yml@refs/heads/main' })
  await refused(
    t,
    verify(other),
    'forbidden',
    /own\.yml(?!.*acme\/ci).*SVC_REQUIRED_WORKFLOW_REF/,
    'its own workflow is named, but strangers do not learn which one would do',
  )
})

t.test('a token without job_workflow_ref is accepted, and 403 where a workflow is required', async (t) => {
  const { url } = await serveKeys(t)
  const none = { job_workflow_ref: undefined }
  t.match(await verifierFor(url)(await mint(none)), { repositoryId: 7, jobWorkflowRef: undefined })
  const requiredWorkflowRef = { glob: '**@*', matches: () => true }
  const verify = verifierFor(url, { requiredWorkflowRef })
  await refused(
    t,
    verify(await mint(none)),
    'forbidden',
    /no job_workflow_ref claim.*SVC_REQUIRED_WORKFLOW_REF/,
    'none',
  )
})

t.test('the key set is fetched once, and again for a key that is missing', async (t) => {
  const { state, url } = await serveKeys(t)
  const verify = verifierFor(url, { refetchAfterMs: 0 })
  for (const jti of ['a', 'b', 'c']) await verify(await mint({ jti }))
  t.equal(state.fetches, 1)
  state.keys = [second.jwk, first.jwk]
  await verify(await mint({ jti: 'd' }, second))
  await verify(await mint({ jti: 'e' }))
  t.equal(state.fetches, 2)
})

t.test('unknown key ids do not cause a fetch each', async (t) => {
  const { state, url } = await serveKeys(t)
  const verify = verifierFor(url)
  await verify(await mint())
  for (const _ of [1, 2, 3])
    await refused(t, verify(await mint({}, second)), 'unauthorized', /not signed by/, 'unknown key')
  t.equal(state.fetches, 1)
})

t.test('the cached keys serve while the issuer is down', async (t) => {
  const { url, close } = await serveKeys(t)
  const verify = verifierFor(url)
  await verify(await mint())
  await close()
  t.match(await verify(await mint({ jti: 'later' })), { jti: 'later' })
})

t.test('without the keys of the issuer it is 503, not the caller’s fault', async (t) => {
  const { state, url, close } = await serveKeys(t)
  const token = await mint()
  const down = /signing keys of https:\/\/token\.example\.com cannot be fetched/
  state.status = 500
  await refused(t, verifierFor(url)(token), 'unavailable', down, 'an error')
  state.status = 200
  state.body = '{"hello":1}'
  await refused(t, verifierFor(url)(token), 'unavailable', down, 'no key set')
  state.body = 'hello'
  await refused(t, verifierFor(url)(token), 'unavailable', down, 'no JSON')
  await close()
  await refused(t, verifierFor(url)(token), 'unavailable', down, 'nothing there')
})
