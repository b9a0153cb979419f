import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import t from 'tap'
import { appJwt, asApp, asInstallation, asking, hubFor, type Response } from '../hub.ts'

/* Who may ask for what: credentials, scopes, permissions, limits (GitHub Docs, 'Authenticating as a GitHub App'). */

const message = (response: Response): unknown => (response.body as { message?: unknown } | undefined)?.message
const tokenOf = (response: Response): string => (response.body as { token: string }).token

const hub = await hubFor(t)
const acme = hub.createInstallation({ account: 'acme', type: 'Organization' })
const infra = await hub.createRepository({ owner: 'acme', name: 'infra' })
await hub.createRepository({ owner: 'acme', name: 'modules' })
const other = hub.createInstallation({ account: 'other', type: 'User' })
await hub.createRepository({ owner: 'other', name: 'secret' })

t.test('the app’s JWT', async (t) => {
  const now = Math.floor(Date.now() / 1000)
  const { privateKey: foreign } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signed = (key: typeof foreign) =>
    new SignJWT({ iat: now, exp: now + 60, iss: hub.app.clientId }).setProtectedHeader({ alg: 'RS256' }).sign(key)
  const symmetric = new SignJWT({ iat: now, exp: now + 60, iss: hub.app.clientId })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from(hub.app.privateKey))
  const strong = new SignJWT({ iat: now, exp: now + 60, iss: hub.app.clientId })
    .setProtectedHeader({ alg: 'RS512' })
    .sign(createPrivateKey(hub.app.privateKey))
  const cases: [name: string, jwt: string | undefined, status: number, said?: RegExp][] = [
    ['issued by the client id', await appJwt(hub), 200],
    ['issued by the app id as a number', await appJwt(hub, { iss: hub.app.id }), 200],
    ['issued by the app id as text', await appJwt(hub, { iss: String(hub.app.id) }), 200],
    ['issued by another app', await appJwt(hub, { iss: 'Iv1.other' }), 401, /Integration not found/],
    ['expired', await appJwt(hub, { exp: now - 120 }), 401, /exp/],
    ['longer than ten minutes', await appJwt(hub, { exp: now + 700 }), 401, /too far in the future/],
    ['without an expiry', await appJwt(hub, { exp: undefined }), 401],
    ['signed by another key', await signed(foreign), 401, /could not be decoded/],
    ['signed with the key’s text as a secret', await symmetric, 401, /could not be decoded/],
    ['signed with SHA-512', await strong, 401, /could not be decoded/],
    ['no JWT', 'ghs_nonsense', 401, /could not be decoded/],
    ['nothing', undefined, 401, /Requires authentication/],
  ]
  for (const [name, jwt, status, said] of cases) {
    const answer = await asking(hub, jwt)('GET', '/app')
    t.equal(answer.status, status, name)
    if (said) t.match(message(answer), said, name)
  }
})

t.test('an installation token opens its installation’s repositories and no other', async (t) => {
  const app = await asInstallation(hub, acme.id)
  t.equal((await app('GET', '/repos/acme/infra')).status, 200)
  t.equal((await app('GET', '/repos/ACME/Infra')).status, 200, 'names are compared without case')
  t.equal((await app('GET', '/repos/other/secret')).status, 404, 'as if it did not exist')
  t.equal((await (await asInstallation(hub, other.id))('GET', '/repos/other/secret')).status, 200)
  t.equal((await app('GET', '/app')).status, 401, 'nor the app’s own operations')
  t.equal((await asking(hub, 'ghs_made_up')('GET', '/repos/acme/infra')).status, 401)
})

t.test('a token narrowed in repositories and permissions', async (t) => {
  const narrow = await asInstallation(hub, acme.id, {
    repository_ids: [infra.id],
    permissions: { contents: 'read', checks: 'read' },
  })
  t.equal((await narrow('GET', '/repos/acme/infra/contents/README.md')).status, 200)
  t.equal((await narrow('GET', '/repos/acme/modules/contents/README.md')).status, 404)
  const check = { name: 'x', head_sha: await infra.head() }
  const refused = await narrow('POST', '/repos/acme/infra/check-runs', check)
  t.equal(refused.status, 403)
  t.equal(message(refused), 'Resource not accessible by integration')
  const { body } = await narrow('GET', '/installation/repositories')
  t.match(body, { total_count: 1, repositories: [{ full_name: 'acme/infra' }] })
})

t.test('an installation of chosen repositories sees these, and those added later', async (t) => {
  const chosen = await hubFor(t)
  await chosen.createRepository({ owner: 'acme', name: 'one' })
  await chosen.createRepository({ owner: 'acme', name: 'two' })
  const installation = chosen.createInstallation({ account: 'acme', type: 'Organization', repositories: ['one'] })
  const app = await asInstallation(chosen, installation.id)
  t.equal((await app('GET', '/repos/acme/two')).status, 404)
  installation.addRepository('acme/two')
  t.equal((await app('GET', '/repos/acme/two')).status, 200)
})

t.test('a token ends after an hour, on suspension and with the installation', async (t) => {
  let now = new Date()
  const timed = await hubFor(t, { clock: () => now })
  const installation = timed.createInstallation({ account: 'acme', type: 'Organization' })
  await timed.createRepository({ owner: 'acme', name: 'infra' })
  const jwt = () => appJwt(timed, {}, now.getTime())
  const newToken = async () =>
    tokenOf(await asking(timed, await jwt())('POST', `/app/installations/${installation.id}/access_tokens`))
  const status = async (token: string) => (await asking(timed, token)('GET', '/repos/acme/infra')).status

  const first = await newToken()
  t.ok(first.length > 200, 'as long as the newer tokens')
  now = new Date(now.getTime() + 3_599_000)
  t.equal(await status(first), 200)
  now = new Date(now.getTime() + 1_000)
  t.equal(await status(first), 401)

  const second = await newToken()
  installation.suspend()
  t.equal(await status(second), 403)
  const refused = await asking(timed, await jwt())('POST', `/app/installations/${installation.id}/access_tokens`)
  t.equal(refused.status, 403)
  installation.unsuspend()
  t.equal(await status(second), 200)
  installation.uninstall()
  t.equal(await status(second), 401)
  const gone = await asking(timed, await jwt())('GET', `/app/installations/${installation.id}`)
  t.equal(gone.status, 404)
})

t.test('the hour’s requests are counted, refused when used up, and start again', async (t) => {
  let now = new Date()
  const limited = await hubFor(t, { rateLimit: 2, clock: () => now })
  const { id } = limited.createInstallation({ account: 'acme', type: 'Organization' })
  await limited.createRepository({ owner: 'acme', name: 'infra' })
  const app = await asInstallation(limited, id)
  const first = await app('GET', '/repos/acme/infra')
  t.equal(first.headers.get('x-ratelimit-limit'), '2')
  t.equal(first.headers.get('x-ratelimit-remaining'), '1')
  t.equal(first.headers.get('x-ratelimit-resource'), 'core')
  t.equal((await app('GET', '/repos/acme/infra')).status, 200)
  const refused = await app('GET', '/repos/acme/infra')
  t.equal(refused.status, 403)
  t.equal(refused.headers.get('x-ratelimit-remaining'), '0')
  t.equal(Number(refused.headers.get('x-ratelimit-reset')), Math.ceil((now.getTime() + 3_600_000) / 1000))
  const { body } = await app('GET', '/rate_limit')
  t.match(body, { resources: { core: { limit: 2, used: 2, remaining: 0 } } }, 'asking about it is free')
  now = new Date(now.getTime() + 3_600_000 - 1)
  t.equal((await app('GET', '/repos/acme/infra')).status, 403)
  now = new Date(now.getTime() + 1)
  const jwt = asking(limited, await appJwt(limited, {}, now.getTime()))
  const fresh = asking(limited, tokenOf(await jwt('POST', `/app/installations/${id}/access_tokens`)))
  t.equal((await fresh('GET', '/repos/acme/infra')).headers.get('x-ratelimit-remaining'), '1')
})

t.test('missing things, and bodies that are not JSON', async (t) => {
  const app = await asInstallation(hub, acme.id)
  const unknown = await app('GET', '/repos/acme/infra/no-such-thing')
  t.equal(unknown.status, 404)
  t.strictSame(unknown.body, { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' })
  const garbled = await fetch(`${hub.url}/repos/acme/infra/check-runs`, { method: 'POST', body: '{"name":' })
  t.equal(garbled.status, 400)
  t.match(await garbled.json(), { message: 'Problems parsing JSON' })
})

t.test('every request is logged by its template', async (t) => {
  const own = await hubFor(t)
  const { id } = own.createInstallation({ account: 'acme', type: 'Organization' })
  await own.createRepository({ owner: 'acme', name: 'infra' })
  const app = await asInstallation(own, id)
  await app('GET', '/repos/acme/infra/contents/a%2Fb.tf')
  await app('GET', '/nowhere?x=1')
  t.strictSame(
    own.requests.map(({ method, route, status }) => `${method} ${route} ${status}`),
    [
      'POST /app/installations/{installation_id}/access_tokens 201',
      'GET /repos/{owner}/{repo}/contents/{path} 404',
      'GET /nowhere 404',
    ],
  )
  t.equal(own.requests[1]?.installationId, id)
})

t.test('listings come in pages, with links to the others', async (t) => {
  const many = await hubFor(t)
  for (const account of ['a', 'b', 'c', 'd', 'e']) many.createInstallation({ account, type: 'User' })
  const app = await asApp(many)
  const accounts: string[] = []
  let next: string | undefined = '/app/installations?per_page=2'
  const rels: string[] = []
  while (next) {
    const answer: Response = await app('GET', next)
    accounts.push(...(answer.body as { account: { login: string } }[]).map(({ account }) => account.login))
    const link = answer.headers.get('link') ?? ''
    rels.push([...link.matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel).join(' '))
    next = /<([^>]+)>; rel="next"/.exec(link)?.[1]
  }
  t.strictSame(accounts, ['a', 'b', 'c', 'd', 'e'])
  t.strictSame(rels, ['next last', 'prev next last first', 'prev first'])
  t.equal((await app('GET', '/app/installations?per_page=1000')).headers.get('link'), null, 'at most a hundred')
})
