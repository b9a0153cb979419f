import pino from 'pino'
import t from 'tap'
import { createGitHub } from '#codehost/github/github.ts'
import { createManifestConversion } from '#codehost/github/manifest.ts'
import { createGitHubSignIn } from '#codehost/github/sign-in.ts'
import { startEmulator } from '#emulator/emulator.ts'
import { authorize, manifestCode } from '#test/emulator/people/people-at-the-hub.ts'
import { privateKey, scriptedGitHub } from './scripted-github.ts'

const redirectUri = 'http://127.0.0.1:9/auth/callback'
const hub = await startEmulator({ dataDir: t.testdir({}), app: { privateKey, callbackUrls: [redirectUri] } })
t.teardown(() => hub.close())
const installation = hub.createInstallation({ account: 'acme', type: 'Organization' })
hub.organization('acme').addMember('ada')

const lines: string[] = []
const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
const { clientId, clientSecret } = hub.app
const options = { apiUrl: hub.url, webUrl: hub.webUrl, clientId, clientSecret, redirectUri, log, retryBaseMs: 1 }
const people = createGitHubSignIn(options)
const codeOf = async (login: string): Promise<string> =>
  (await authorize(people.authorizeUrl('s'), login)).searchParams.get('code') ?? ''

t.test('people are sent to the code host with the scope and our state', async (t) => {
  const url = new URL(people.authorizeUrl('a state'))
  t.equal(`${url.origin}${url.pathname}`, `${hub.webUrl}/login/oauth/authorize`)
  t.same(Object.fromEntries(url.searchParams), {
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 'a state',
    scope: 'read:org',
  })
})

t.test("a code yields a person's identity, and the token it gave is ended", async (t) => {
  const code = await codeOf('ada')
  const before = hub.requests.length
  const ada = await people.identify(code, 'request-1')
  t.match(ada, { id: hub.person('ada').id, login: 'ada', avatarUrl: /^http/ })
  t.same(ada?.ownerOf, [], 'a member is no owner')
  t.same(ada?.organizations, [{ id: hub.organization('acme').id, login: 'acme' }], 'once, though both lists have it')
  t.same(
    hub.requests
      .slice(before)
      .map(({ method, route, status }) => `${method} ${route} ${status}`)
      .at(-1),
    'DELETE /applications/{client_id}/token 204',
  )
  t.equal(await people.identify(code), undefined, 'a code works once')
  t.equal(await people.identify('made-up'), undefined)
  for (const secret of ['ghu_', clientSecret, code]) t.notMatch(lines.join(''), secret)
})

t.test('the installation is asked for what a token does not show', async (t) => {
  hub.person('ada').conceal('acme')
  t.same((await people.identify(await codeOf('ada')))?.organizations, [])
  const host = createGitHub({ appId: hub.app.id, privateKey, apiUrl: hub.url, log, paced: false })
  t.equal(await host.isOrganizationMember(installation.id, 'acme', 'ada'), true)
  t.equal(await host.isOrganizationMember(installation.id, 'acme', 'bob'), false)
  const fault = { kind: 'request', path: '/orgs/{org}/members/{username}', effect: { status: 403 }, times: 1 } as const
  hub.faults.add(fault)
  t.equal(await host.isOrganizationMember(installation.id, 'acme', 'ada'), false, 'no right to ask means no')
})

t.test('each list may fail for lack of a right, and the token is ended whatever fails', async (t) => {
  const refuse = (path: string, status: number) =>
    hub.faults.add({ kind: 'request', method: 'GET', path, effect: { status }, times: 1 })
  refuse('/user/orgs', 403)
  refuse('/user/memberships/orgs', 403)
  t.match(await people.identify(await codeOf('ada')), { login: 'ada', organizations: [] })
  refuse('/user', 401)
  await t.rejects(people.identify(await codeOf('ada')), { name: 'Refusal' })
  const last = hub.requests.at(-1)
  t.equal(`${last?.method} ${last?.route}`, 'DELETE /applications/{client_id}/token')
  hub.faults.add({ kind: 'request', method: 'DELETE', effect: { status: 500 }, times: 3 })
  t.match(
    await people.identify(await codeOf('ada')),
    { login: 'ada' },
    'a token that cannot be ended is no reason to say no',
  )
})

t.test('a wrong secret is not the fault of the person', async (t) => {
  const wrong = createGitHubSignIn({ ...options, clientSecret: 'wrong' })
  await t.rejects(wrong.identify(await codeOf('ada')), { code: 'unavailable', message: /incorrect_client_credentials/ })
})

t.test('both lists are merged, page by page', async (t) => {
  const org = (id: number) => ({ id, login: `org-${id}` })
  const { url } = await scriptedGitHub(t, {
    'POST /login/oauth/access_token': () => ({ json: { access_token: 'ghu_x', token_type: 'bearer', scope: '' } }),
    'GET /user': () => ({ json: { id: 5, login: 'ada', avatar_url: 'https://github.test/a' } }),
    'GET /user/orgs': ({ query }) =>
      query.get('page') === '2'
        ? { json: [org(2)] }
        : { json: [org(1)], headers: { link: '<http://github.test/user/orgs?page=2>; rel="next"' } },
    'GET /user/memberships/orgs': () => ({
      json: [
        { state: 'active', role: 'admin', organization: org(2) },
        { state: 'active', role: 'billing_manager', organization: org(3) },
        { state: 'pending', role: 'admin', organization: org(4) },
      ],
    }),
  })
  const scripted = createGitHubSignIn({ ...options, apiUrl: url, webUrl: url })
  t.match(await scripted.identify('c'), { organizations: [org(1), org(2), org(3)], ownerOf: [2] })
})

t.test('a manifest code becomes the credentials of an app, once', async (t) => {
  const convert = createManifestConversion({ apiUrl: hub.url, log })
  const code = await manifestCode(hub, { url: 'http://127.0.0.1:9', hook_attributes: { url: 'http://127.0.0.1:9/w' } })
  const made = await convert(code, 'request-2')
  t.match(made, {
    name: 'made',
    clientId: String,
    clientSecret: String,
    webhookSecret: String,
    privateKey: /BEGIN RSA/,
  })
  t.type(made?.id, 'number')
  t.equal(await convert(code), undefined)
  t.notMatch(lines.join(''), code)
})
