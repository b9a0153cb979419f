import t from 'tap'
import { appJwt, asking, hubFor } from './hub.ts'
import { authorize, exchange, manifestCode, postForm, userToken } from './people/people-at-the-hub.ts'

const back = 'http://127.0.0.1:9/auth/callback'
const clock = { at: new Date('2026-03-01T12:00:00Z') }
const hub = await hubFor(t, {
  app: { callbackUrls: [back], webhookUrl: 'http://127.0.0.1:9/refused' },
  clock: () => clock.at,
})
hub.createInstallation({ account: 'acme', type: 'Organization' })
hub.organization('acme').addMember('ada')
hub.organization('other').addMember('ada')
hub.organization('acme').team('ops').add('ivy', 'pending')

const authorizeUrl = (changes: Record<string, string> = {}): string => {
  const query = { client_id: hub.app.clientId, redirect_uri: back, state: 'st', scope: 'read:org', ...changes }
  return `${hub.webUrl}/login/oauth/authorize?${new URLSearchParams(query)}`
}

t.test('the page asks who the person is, and sends them back with a code and the state', async (t) => {
  const page = await fetch(authorizeUrl())
  t.equal(page.status, 200)
  t.match(await page.text(), /<button name="login" value="ada">/)
  const to = await authorize(authorizeUrl(), 'ada')
  t.equal(`${to.origin}${to.pathname}`, back)
  t.equal(to.searchParams.get('state'), 'st')
  t.ok(to.searchParams.get('code'))
})

t.test('a person who refuses gets no code, nor does an unknown app or address', async (t) => {
  const no = await authorize(authorizeUrl())
  t.equal(no.searchParams.get('error'), 'access_denied')
  const elsewhere = await authorize(authorizeUrl({ redirect_uri: 'http://evil.example/' }), 'ada')
  t.equal(elsewhere.origin, 'http://127.0.0.1:9')
  t.equal(elsewhere.searchParams.get('error'), 'redirect_uri_mismatch')
  t.equal((await fetch(authorizeUrl({ client_id: 'unknown' }))).status, 404)
})

t.test('a code is exchanged once, in ten minutes, by the app, and errors come with status 200', async (t) => {
  const codeOf = async () => (await authorize(authorizeUrl(), 'ada')).searchParams.get('code') ?? ''
  const code = await codeOf()
  t.match(await exchange(hub, { code, client_secret: 'x' }), { error: 'incorrect_client_credentials' })
  t.match(await exchange(hub, { code, redirect_uri: `${back}/x` }), { error: 'redirect_uri_mismatch' })
  const got = await exchange(hub, { code, redirect_uri: back })
  t.match(got, { access_token: /^ghu_/, token_type: 'bearer', scope: '', expires_in: 28_800 })
  t.match(await exchange(hub, { code }), { error: 'bad_verification_code' })
  const late = await codeOf()
  clock.at = new Date(clock.at.getTime() + 600_000)
  t.match(await exchange(hub, { code: late }), { error: 'bad_verification_code' })
  const form = await postForm(`${hub.webUrl}/login/oauth/access_token`, {})
  t.match(await form.text(), /^error=incorrect_client_credentials&/, 'as a form, unless JSON is asked for')
})

t.test('a token shows the organisations that have the app, unless SAML hides them', async (t) => {
  const ada = asking(hub, await userToken(hub, 'ada'))
  const logins = async () => ((await ada('GET', '/user/orgs')).body as { login: string }[]).map(({ login }) => login)
  t.match((await ada('GET', '/user')).body, { login: 'ada', type: 'User' })
  t.same(await logins(), ['acme'])
  hub.person('ada').conceal('acme')
  t.same(await logins(), [])
  const ivy = asking(hub, await userToken(hub, 'ivy'))
  t.same((await ivy('GET', '/user/orgs')).body, [], 'an invitation is not a membership')
  t.match((await ivy('GET', '/user/memberships/orgs')).body, [{ state: 'pending', organization: { login: 'acme' } }])
  t.same((await ivy('GET', '/user/memberships/orgs?state=active')).body, [])
  hub.organization('acme').addMember('olga', 'owner')
  const olga = asking(hub, await userToken(hub, 'olga'))
  t.match((await olga('GET', '/user/memberships/orgs?state=active')).body, [{ state: 'active', role: 'admin' }])
})

t.test('a person who withdraws the right ends the tokens, and the app is notified', async (t) => {
  const ada = asking(hub, await userToken(hub, 'ada'))
  hub.person('ada').revokeAuthorization()
  t.equal((await ada('GET', '/user')).status, 401)
  const told = hub.deliveries().filter(({ event }) => event === 'github_app_authorization')
  t.match(JSON.parse(told[0]?.payload ?? '{}'), { action: 'revoked', sender: { login: 'ada' } })
})

t.test('an app is made from a manifest, and its credentials are handed out once, within an hour', async (t) => {
  const manifest = {
    name: 'svc-made',
    url: 'http://127.0.0.1:9',
    hook_attributes: { url: 'http://127.0.0.1:9/webhooks/codehost' },
    redirect_url: 'http://127.0.0.1:9/setup/callback',
    callback_urls: ['http://127.0.0.1:9/auth/callback'],
    default_permissions: { contents: 'read', members: 'read' },
    default_events: ['push'],
  }
  const url = `${hub.webUrl}/organizations/acme/settings/apps/new?state=s`
  const shown = await postForm(url, { manifest: JSON.stringify(manifest) })
  t.match(await shown.text(), /Create an app for acme.*value="svc-made".*Create GitHub App/s)
  for (const wrong of ['no json', '{}', JSON.stringify({ ...manifest, name: 'x'.repeat(35) })]) {
    t.equal((await postForm(url, { manifest: wrong })).status, 422, wrong)
  }
  const anyone = asking(hub, undefined)
  const late = await manifestCode(hub, manifest)
  clock.at = new Date(clock.at.getTime() + 3_600_000)
  t.equal((await anyone('POST', `/app-manifests/${late}/conversions`)).status, 404)
  const code = await manifestCode(hub, manifest, '/organizations/acme')
  const made = await anyone('POST', `/app-manifests/${code}/conversions`)
  t.equal(made.status, 201)
  t.match(made.body, {
    owner: { login: 'acme' },
    permissions: { contents: 'read' },
    events: ['push'],
    pem: /BEGIN RSA/,
  })
  t.equal((await anyone('POST', `/app-manifests/${code}/conversions`)).status, 404)
  const { pem, client_id } = made.body as { pem: string; client_id: string }
  const app = { ...hub.app, privateKey: pem, clientId: client_id }
  const asMade = asking(hub, await appJwt({ ...hub, app }, {}, clock.at.getTime()))
  const { body } = await asMade('GET', '/app')
  t.match(body, { client_id, slug: 'made' }, 'and from then on it is the app')
})
