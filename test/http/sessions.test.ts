import { randomUUID } from 'node:crypto'
import t from 'tap'
import { until } from '#test/helpers/until.ts'
import { browserAt, peopleFor, signInAs } from '#test/scenes/people.ts'
import { addKey, query } from '#test/scenes/served.ts'

const people = await peopleFor(t)
const { github, env, clock } = people
github.createInstallation({ account: 'acme', type: 'Organization' })
github.organization('acme').addMember('ada')
github.createInstallation({ account: 'cyd', type: 'User' })
const one = await people.start()
const two = await people.start()
github.setWebhookUrl(`${one}/webhooks/codehost`)
const database = env.DATABASE_URL ?? ''
const base = 'http://svc.example.com'
await until(async () => (await query(database, ['select count(*)::int as n from installations']))[0].n >= 2)

const signedIn = async (login: string, address = one) => {
  const browser = browserAt(address)
  const answer = await signInAs(browser, login)
  if (answer.status !== 302) throw new Error(`${login} was not let in: ${answer.status} ${answer.text}`)
  return browser
}

t.test('a session that has expired, was changed or has another key is 401', async (t) => {
  const isOver = async (browser: ReturnType<typeof browserAt>, why: string) => {
    const answer = await browser.open('/v1/me')
    t.match(answer, { status: 401, json: { code: 'unauthorized', message: /sign in again/ } }, why)
    t.equal(answer.headers.get('www-authenticate'), 'Bearer realm="svc"', why)
  }
  const browser = await signedIn('ada')
  const token = browser.cookies.get('svc_session') ?? ''
  for (const value of [`${token}x`, token.slice(1), token.toLowerCase(), 'x', `${token}.x`]) {
    await isOver(browserAt(one, new Map([['svc_session', value]])), value)
  }
  await isOver(browserAt(await people.start({ SVC_SESSION_KEY: 'b'.repeat(64) }), browser.cookies), 'another key')
  await isOver(
    browserAt(await people.start({ SVC_SESSION_KEY: undefined }), browser.cookies),
    'a key generated at the start',
  )
  const began = clock.at
  clock.at = new Date(began.getTime() + 7 * 24 * 3_600_000 - 1)
  t.equal((await browser.open('/v1/me')).status, 200, 'on its last day')
  clock.at = new Date(began.getTime() + 7 * 24 * 3_600_000)
  await isOver(browser, 'after seven days')
  clock.at = began
})

t.test('expired sessions leave the table with the next sign-in', async (t) => {
  const began = clock.at
  clock.at = new Date(began.getTime() + 8 * 24 * 3_600_000)
  await signedIn('cyd')
  t.same(
    (await query(database, ['select login from sessions'])).map(({ login }) => login),
    ['cyd'],
  )
  clock.at = began
})

t.test('signing in again ends the former session of the browser', async (t) => {
  const browser = await signedIn('ada')
  const former = new Map(browser.cookies)
  await signInAs(browser, 'cyd')
  t.match(await browser.open('/v1/me'), { json: { login: 'cyd', orgs: ['acme'].slice(1) } })
  t.equal((await browserAt(two, former).open('/v1/me')).status, 401)
})

t.test('logout ends the session everywhere, and must come from our own pages', async (t) => {
  const cases: [headers: Record<string, string>, status: number][] = [
    [{ origin: base }, 204],
    [{ 'sec-fetch-site': 'same-origin' }, 204],
    [{ origin: base, 'sec-fetch-site': 'cross-site' }, 204],
    [{ origin: 'http://evil.example' }, 403],
    [{ origin: 'http://svc.example.com:8080' }, 403],
    [{ origin: 'https://svc.example.com' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{}, 403],
  ]
  for (const [headers, status] of cases) {
    const browser = await signedIn('ada')
    const elsewhere = browserAt(two, new Map(browser.cookies))
    const answer = await browser.open('/auth/logout', { method: 'POST', headers })
    const what = JSON.stringify(headers)
    t.equal(answer.status, status, what)
    if (status === 403) t.match(answer.json, { code: 'forbidden', message: /must come from/ }, what)
    else t.match([answer.text, browser.set()], ['', [/^svc_session=; Max-Age=0; Path=\/; HttpOnly/]], what)
    t.equal((await elsewhere.open('/v1/me')).status, status === 204 ? 401 : 200, what)
  }
})

t.test('logout accepts a small body or none, and needs a session', async (t) => {
  const post = async (body: string | undefined, type?: string) => {
    const headers = { origin: base, ...(type === undefined ? {} : { 'content-type': type }) }
    return (await signedIn('ada')).open('/auth/logout', {
      method: 'POST',
      headers,
      ...(body === undefined ? {} : { body }),
    })
  }
  t.equal((await post('{}', 'application/json')).status, 204)
  t.equal((await post('', 'application/json')).status, 204)
  t.match(await post('{', 'application/json'), { status: 400, json: { code: 'invalid' } })
  t.match(await post(`"${'x'.repeat(1 << 20)}"`, 'application/json'), { status: 413, json: { code: 'invalid' } })
  const nobody = await browserAt(one).open('/auth/logout', { method: 'POST', headers: { origin: base } })
  t.match(nobody, { status: 401, json: { code: 'unauthorized' } })
  const key = await addKey(database, 'logout')
  const asKey = await browserAt(one).open('/auth/logout', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  })
  t.match(asKey, { status: 403, json: { code: 'forbidden', message: /only a signed-in person/ } })
})

t.test('/v1/me by caller', async (t) => {
  const key = await addKey(database, 'me')
  const me = (headers: Record<string, string>) => browserAt(one).open('/v1/me', { headers })
  t.has((await me({ authorization: `Bearer ${key}` })).json, {
    login: 'apikey:me',
    orgs: [],
    admin: true,
    command: 'svc',
  })
  const token = await github.mintToken({ aud: base, repository: 'acme/infra', repository_id: '1', jti: randomUUID() })
  for (const headers of [{}, { authorization: 'Bearer sk_none' }, { authorization: `Bearer ${token}` }]) {
    const answer = await me(headers)
    t.match(answer, { status: 401, json: { code: 'unauthorized' } })
    t.equal(answer.headers.get('www-authenticate'), 'Bearer realm="svc"')
  }
  const both = await signedIn('ada')
  t.match(
    await both.open('/v1/me', { headers: { authorization: `Bearer ${key}` } }),
    { json: { login: 'apikey:me' } },
    'with a header and a cookie, the header counts',
  )
  const session = both.cookies.get('svc_session') ?? ''
  t.equal((await me({ authorization: `Bearer ${session}` })).status, 401, 'a session is not a bearer token')
})

t.test('unknown paths under /v1 and /auth are JSON 404, signed in or not', async (t) => {
  const browser = await signedIn('ada')
  for (const path of ['/auth', '/auth/', '/auth/none', '/auth/logout', '/v1/none']) {
    for (const one of [browser, browserAt(two)]) {
      t.match(await one.open(path), { status: 404, json: { code: 'not_found' } }, path)
    }
  }
})

t.test('a person who revokes the authorization is signed out everywhere', async (t) => {
  const [laptop, phone, other] = [await signedIn('ada'), await signedIn('ada', two), await signedIn('cyd')]
  const { id } = github.person('ada')
  // names change hands: she had another name when she signed in, and he had hers
  await query(
    database,
    [`update sessions set login = 'lovelace' where user_id = $1`, [id]],
    [`update sessions set login = 'ada' where login = 'cyd'`],
  )
  github.person('ada').revokeAuthorization()
  await github.deliveriesSettled()
  await until(
    async () =>
      (await query(database, ['select count(*)::int as n from sessions where user_id = $1', [id]]))[0].n === 0,
  )
  t.equal((await laptop.open('/v1/me')).status, 401)
  t.equal((await phone.open('/v1/me')).status, 401)
  t.equal((await other.open('/v1/me')).status, 200)
})
