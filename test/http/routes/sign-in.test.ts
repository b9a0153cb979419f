import t, { type Test } from 'tap'
import { authorize } from '#test/emulator/people/people-at-the-hub.ts'
import { until } from '#test/helpers/until.ts'
import { type Answer, browserAt, peopleFor, signInAs } from '#test/scenes/people.ts'
import { addKey, query } from '#test/scenes/served.ts'

const people = await peopleFor(t)
const { github, env, clock } = people
const acme = github.createInstallation({ account: 'acme', type: 'Organization' })
github.organization('acme').addMember('ada')
github.organization('acme').addMember('bob')
github.organization('plain').addMember('ada')
github.createInstallation({ account: 'cyd', type: 'User' })
const asleep = github.createInstallation({ account: 'asleep', type: 'Organization' })
github.organization('asleep').addMember('dan')
asleep.suspend()
const one = await people.start()
const two = await people.start()
github.setWebhookUrl(`${one}/webhooks/codehost`)
const database = env.DATABASE_URL ?? ''
const base = 'http://svc.example.com'
const known = async (count: number) => {
  await until(async () => (await query(database, ['select count(*)::int as n from installations']))[0].n >= count)
}
await known(3)

const signedIn = async (login: string, address = one) => {
  const browser = browserAt(address)
  const answer = await signInAs(browser, login)
  if (answer.status !== 302) throw new Error(`${login} was not let in: ${answer.status} ${answer.text}`)
  return browser
}

/** What a page shows of an error; other clients get the same as JSON. */
const isRefused = async (
  t: Test,
  ask: (accept: string) => Promise<Answer>,
  status: number,
  code: string,
  says: RegExp,
) => {
  const page = await ask('text/html')
  t.match(page, { status, text: says })
  t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  t.match(page.headers.get('content-security-policy'), /^default-src 'none'; style-src 'sha256-.*form-action 'none'/)
  t.match(await ask('application/json'), { status, json: { code, message: says } })
}

t.test('login redirects to the code host, and keeps the next path in a signed cookie of ten minutes', async (t) => {
  const browser = browserAt(one)
  const { status, headers } = await browser.open('/auth/login?next=/runs/1')
  t.equal(status, 302)
  const to = new URL(headers.get('location') ?? '')
  t.equal(`${to.origin}${to.pathname}`, `${github.webUrl}/login/oauth/authorize`)
  t.match(Object.fromEntries(to.searchParams), {
    client_id: github.app.clientId,
    redirect_uri: `${base}/auth/callback`,
    scope: 'read:org',
    state: /^[\w-]{32}$/,
  })
  t.match(browser.set(), [/^svc_sign_in=[\w.-]+; Max-Age=600; Path=\/auth; HttpOnly; SameSite=Lax$/])
})

t.test('a person who comes back with a code gets a session of seven days, on every instance', async (t) => {
  const browser = browserAt(one)
  const answer = await signInAs(browser, 'ada', '/runs/1?tab=gate')
  t.equal(answer.status, 302)
  t.equal(answer.headers.get('location'), `${base}/runs/1?tab=gate`)
  t.equal(answer.headers.get('cache-control'), 'no-store')
  t.match(browser.set().sort(), [
    /^svc_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    /^svc_sign_in=; Max-Age=0; Path=\/auth; HttpOnly; SameSite=Lax$/,
  ])
  const token = browser.cookies.get('svc_session') ?? ''
  for (const address of [one, two]) {
    const me = await browserAt(address, browser.cookies).open('/v1/me')
    t.match(me, { status: 200, json: { login: 'ada', avatar_url: /^http/, orgs: ['acme'], admin: false } }, address)
  }
  const [row] = await query(database, ['select * from sessions'])
  t.match(row, { login: 'ada', orgs: ['acme'], token_hash: /^[0-9a-f]{64}$/ })
  t.notMatch(JSON.stringify(row), token, 'the token itself is stored nowhere')
  t.equal(row.expires_at.getTime() - row.created_at.getTime(), 7 * 24 * 3_600_000)
})

t.test('sign-in never leads to another site', async (t) => {
  for (const next of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/a\r\nSet-Cookie: x=1',
    '\\\\evil',
  ]) {
    const { headers } = await signInAs(browserAt(one), 'ada', next)
    t.equal(headers.get('location'), `${base}/`, next)
    t.notOk(
      headers.getSetCookie().some((line) => line.startsWith('x=')),
      next,
    )
  }
  for (const next of ['/%5Cevil.example', '/%2F%2Fevil.example', '/a%0d%0aSet-Cookie:%20x=1']) {
    const { headers } = await signInAs(browserAt(one), 'ada', next)
    t.equal(headers.get('location'), `${base}${next}`, `${next} is below our own address`)
  }
  const twice = browserAt(one)
  const sent = await twice.open('/auth/login?next=/a&next=//evil.example')
  const back = await authorize(sent.headers.get('location') ?? '', 'ada')
  t.equal((await twice.open(`${back.pathname}${back.search}`)).headers.get('location'), `${base}/`, 'two are none')
})

t.test('on https, cookies are for https only, and below the base path', async (t) => {
  const browser = browserAt(await people.start({ SVC_BASE_URL: 'https://example.com/svc/' }))
  const answer = await signInAs(browser, 'ada', '/runs')
  t.equal(answer.headers.get('location'), 'https://example.com/svc/runs')
  t.match(browser.set().sort(), [
    /^svc_session=.*; Path=\/svc; HttpOnly; Secure; SameSite=Lax$/,
    /Path=\/svc\/auth; .*Secure/,
  ])
})

t.test('a state is valid for the browser that began, and for ten minutes', async (t) => {
  const callbackOf = async (browser = browserAt(one), login = 'ada') => {
    const sent = await browser.open('/auth/login')
    const back = await authorize(sent.headers.get('location') ?? '', login)
    return { browser, path: `${back.pathname}${back.search}` }
  }
  const isForeign = (path: string, browser: () => ReturnType<typeof browserAt>) =>
    isRefused(t, (accept) => browser().open(path, { headers: { accept } }), 400, 'invalid', /state.*sign in again/)
  const { browser, path } = await callbackOf()
  await isForeign(path, () => browserAt(one))
  const other = await callbackOf()
  await isForeign(path, () => browserAt(one, new Map(other.browser.cookies)))
  await isForeign('/auth/callback?code=x', () => browserAt(one, new Map(browser.cookies)))
  const cookie = browser.cookies.get('svc_sign_in') ?? ''
  const [text = '', signature = ''] = cookie.split('.')
  const forged = Buffer.from(text, 'base64url').toString().replace('"next":"/"', '"next":"/x"')
  for (const value of [
    `${Buffer.from(forged).toString('base64url')}.${signature}`,
    `${text}.${signature.slice(1)}`,
    text,
    `${cookie}.x`,
    `.${signature}`,
  ]) {
    t.equal((await browserAt(one, new Map([['svc_sign_in', value]])).open(path)).status, 400, value)
  }
  const late = await callbackOf()
  const began = clock.at
  clock.at = new Date(began.getTime() + 600_000)
  await isForeign(late.path, () => browserAt(one, new Map(late.browser.cookies)))
  clock.at = began
  const elsewhere = browserAt(two, browser.cookies)
  t.equal((await elsewhere.open(path)).status, 302, 'any instance finishes what another began')
  t.equal((await elsewhere.open(path)).status, 400, 'and then it is used up')
})

t.test('of two tabs, the one that began last signs in, and the first is told to begin again', async (t) => {
  const browser = browserAt(one)
  const begin = async (next: string) => {
    const sent = await browser.open(`/auth/login?next=${next}`)
    const back = await authorize(sent.headers.get('location') ?? '', 'ada')
    return `${back.pathname}${back.search}`
  }
  const [first, second] = [await begin('/one'), await begin('/two')]
  t.match(await browser.open(first), { status: 400, text: /sign in again.*href="\/auth\/login\?next=%2Ftwo"/s })
  t.notOk(browser.cookies.has('svc_session'))
  const answer = await browser.open(second)
  t.match([answer.status, answer.headers.get('location')], [302, `${base}/two`], 'and does not break the second')
  const session = browser.cookies.get('svc_session')
  t.equal((await browser.open(first)).status, 400)
  t.match(await browser.open('/v1/me'), { status: 200 }, 'the person stays signed in')
  t.equal(browser.cookies.get('svc_session'), session)
})

t.test('a callback that is sent again, cookie and all, opens no second session', async (t) => {
  const browser = browserAt(one)
  const sent = await browser.open('/auth/login')
  const back = await authorize(sent.headers.get('location') ?? '', 'ada')
  const kept = new Map(browser.cookies)
  const path = `${back.pathname}${back.search}`
  t.equal((await browser.open(path)).status, 302)
  const sessions = async () => (await query(database, ['select count(*)::int as n from sessions']))[0].n
  const before = await sessions()
  const replay = browserAt(two, kept)
  t.match(await replay.open(path), { status: 400, text: /code.*sign in again/ })
  t.notOk(replay.cookies.has('svc_session'))
  const both = browserAt(one, new Map([...browser.cookies, ...kept]))
  t.equal((await both.open(path)).status, 400)
  t.equal(await sessions(), before)
  t.equal((await browser.open('/v1/me')).status, 200, 'and ends none')
})

t.test('a refusal, an unknown code and a missing one are reported', async (t) => {
  const begin = async () => {
    const browser = browserAt(one)
    const { headers } = await browser.open('/auth/login')
    return { browser, state: new URL(headers.get('location') ?? '').searchParams.get('state') }
  }
  for (const [query, says] of [
    ['code=made-up', /code.*sign in again/],
    ['', /code.*is missing/],
    ['error=access_denied&error_description=<b>x', /sign-in was refused/],
  ] as const) {
    const ask = async (accept: string) => {
      const { browser, state } = await begin()
      return browser.open(`/auth/callback?state=${state}&${query}`, { headers: { accept } })
    }
    await isRefused(t, ask, 400, 'invalid', says)
    t.notMatch((await ask('text/html')).text, /<b>x/)
  }
  const no = await signInAs(browserAt(one))
  t.match(no, { status: 400, text: /sign-in was refused/ })
})

t.test('the app must be on an account of the person, and not suspended there', async (t) => {
  t.match(await signInAs(browserAt(one), 'cyd'), { status: 302 }, 'their own account')
  for (const stranger of ['eve', 'dan']) {
    const browser = browserAt(one)
    const { status, text, headers } = await signInAs(browser, stranger)
    t.equal(status, 403, stranger)
    t.match(text, /The app is not installed.*Ask an owner/s)
    t.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    t.notOk(browser.cookies.has('svc_session'), stranger)
  }
  const before = await signedIn('bob')
  acme.suspend()
  await github.deliveriesSettled()
  await until(
    async () =>
      (await query(database, ["select suspended_at from installations where account_login = 'acme'"]))[0]
        .suspended_at !== null,
  )
  t.equal((await signInAs(browserAt(one), 'bob')).status, 403)
  t.match(await before.open('/v1/me'), { status: 200, json: { orgs: ['acme'] } }, 'it counts at the next sign-in')
  t.match(await before.open('/v1/repos'), { status: 200 })
  acme.unsuspend()
  await github.deliveriesSettled()
  await until(
    async () =>
      (await query(database, ["select suspended_at from installations where account_login = 'acme'"]))[0]
        .suspended_at === null,
  )
  t.equal((await signInAs(browserAt(one), 'bob')).status, 302)
})

t.test('an organisation that the token of the person does not show is asked itself', async (t) => {
  github.person('bob').conceal('acme')
  const browser = await signedIn('bob')
  t.match(await browser.open('/v1/me'), { json: { login: 'bob', orgs: ['acme'] } })
  github.faults.add({ kind: 'request', path: '/orgs/{org}/members/{username}', effect: { status: 500 }, times: 9 })
  t.equal((await signInAs(browserAt(one), 'bob')).status, 403, 'one that cannot be asked is left out')
})

t.test('a code host that is down is reported', async (t) => {
  const down = { kind: 'request', path: '/user', effect: { status: 502 } } as const
  const fault = github.faults.add(down)
  const ask = async (accept: string) => {
    const browser = browserAt(one)
    const sent = await browser.open('/auth/login')
    const back = await authorize(sent.headers.get('location') ?? '', 'ada')
    return browser.open(`${back.pathname}${back.search}`, { headers: { accept } })
  }
  await isRefused(t, ask, 503, 'unavailable', /reading who is signing in/)
  fault.remove()
})

t.test('without the two variables, login and callback are 503, with a page', async (t) => {
  const closed = browserAt(
    await people.start({ CODEHOST_OAUTH_CLIENT_ID: undefined, CODEHOST_OAUTH_CLIENT_SECRET: undefined }),
  )
  for (const path of ['/auth/login', '/auth/callback?code=x&state=y']) {
    for (const accept of ['text/html', '*/*', 'application/json']) {
      const { status, text, headers } = await closed.open(path, { headers: { accept } })
      t.equal(status, 503, path)
      t.equal(headers.get('content-type'), 'text/html; charset=utf-8', path)
      t.match(text, /Sign-in is not configured.*CODEHOST_OAUTH_CLIENT_ID/s, path)
    }
  }
  const key = await addKey(database, 'closed')
  t.equal((await closed.open('/v1/me', { headers: { authorization: `Bearer ${key}` } })).status, 200)
})
