import t, { type Test } from 'tap'
import { readConfig } from '#config.ts'
import { Problem } from '#errors.ts'
import { postForm } from '#test/emulator/people/people-at-the-hub.ts'
import { testDatabase } from '#test/helpers/database.ts'
import { type Answer, type Browser, browserAt, peopleFor } from '#test/scenes/people.ts'
import { addKey, query, serve } from '#test/scenes/served.ts'

const people = await peopleFor(t)
const { github, env, clock } = people
const database = env.DATABASE_URL ?? ''
const withoutApp = {
  CODEHOST_APP_ID: undefined,
  CODEHOST_APP_PRIVATE_KEY: undefined,
  CODEHOST_WEBHOOK_SECRET: undefined,
  CODEHOST_OAUTH_CLIENT_ID: undefined,
  CODEHOST_OAUTH_CLIENT_SECRET: undefined,
  // as at a first start: only what is needed is set
  SVC_SESSION_KEY: undefined,
}
const one = await people.start(withoutApp)
const two = await people.start(withoutApp)

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')

/** The form of a page that goes to the code host: its address and manifest. */
const formOf = ({ text }: Answer) => {
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(text) ?? []
  const [, manifest = '{}'] = /name="manifest"\s+value="([^"]+)"/.exec(text) ?? []
  return { action: unescaped(action), manifest: JSON.parse(unescaped(manifest)) }
}

/** Takes the form of /setup to the code host and has the app created; returns the path that the browser is sent back to. */
const makeApp = async (browser: Browser, path = '/setup'): Promise<string> => {
  const { action, manifest } = formOf(await browser.open(path))
  const shown = await postForm(action, { manifest: JSON.stringify(manifest) })
  if (shown.status !== 200) throw new Error(await shown.text())
  const made = await postForm(action.replace('/new?', '?'), { manifest: JSON.stringify(manifest), name: manifest.name })
  const back = new URL(made.headers.get('location') ?? 'about:blank')
  return `${back.pathname}${back.search}`
}

/** The variables that a page prints. */
const printed = ({ text }: Answer): Record<string, string> => {
  const [, lines = ''] = /<pre>(CODEHOST[^<]+)<\/pre>/.exec(text) ?? []
  return Object.fromEntries(lines.split('\n').map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]))
}

t.test('the page takes the manifest to the code host, for an account or an organisation', async (t) => {
  const page = await browserAt(one).open('/setup')
  t.equal(page.status, 200)
  t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  t.match(
    page.headers.get('content-security-policy'),
    new RegExp(
      `^default-src 'none'; style-src 'sha256-[^;]+; form-action 'self' ${github.webUrl}; base-uri 'none'; frame-`,
    ),
  )
  const { action, manifest } = formOf(page)
  t.match(action, new RegExp(`^${github.webUrl}/settings/apps/new\\?state=[\\w-]{32}$`))
  t.match(manifest, {
    name: 'svc-svc.example.com',
    url: 'http://svc.example.com',
    hook_attributes: { url: 'http://svc.example.com/webhooks/codehost', active: true },
    redirect_url: 'http://svc.example.com/setup/callback',
    callback_urls: ['http://svc.example.com/auth/callback'],
    setup_url: 'http://svc.example.com/setup/installed',
    public: false,
    default_permissions: { contents: 'read', members: 'read', actions: 'write', checks: 'write' },
  })
  const named = formOf(await browserAt(one).open('/setup?org=acme&name=Our%20%22app%22'))
  t.match(named.action, `${github.webUrl}/organizations/acme/settings/apps/new?state=`)
  t.equal(named.manifest.name, 'Our "app"')
  t.match(formOf(await browserAt(one).open('/setup?org=&name=')), {
    action: '/settings/apps/new',
    manifest: { name: 'svc-svc.example.com' },
  })
})

t.test('app names have up to 34 characters, and organisations must be names', async (t) => {
  t.equal((await browserAt(one).open(`/setup?name=${'n'.repeat(34)}`)).status, 200)
  for (const [asked, field] of [
    [`name=${'n'.repeat(35)}`, 'name'],
    ['name=a%0Ab', 'name'],
    ['org=a/b', 'org'],
    ['org=..', 'org'],
    ['org=a%3Fb', 'org'],
  ] as const) {
    const answer = await browserAt(one).open(`/setup?${asked}`, { headers: { accept: '*/*' } })
    t.match(answer, { status: 400, json: { code: 'invalid', details: { field } } }, asked)
  }
  t.match(await browserAt(one).open('/setup?org=%3Cb%3E'), {
    status: 400,
    text: /<h1>That did not work<\/h1>\n<p>org: must/,
  })
  const long = await people.start({ ...withoutApp, SVC_BASE_URL: 'https://stacks.infrastructure.example.com:8443/svc' })
  const { manifest } = formOf(await browserAt(long).open('/setup'))
  t.equal(manifest.name, 'svc-stacks.infrastructure.example.')
  t.equal(manifest.redirect_url, 'https://stacks.infrastructure.example.com:8443/svc/setup/callback')
})

t.test('in setup mode, nothing else is served', async (t) => {
  const key = await addKey(database, 'early')
  for (const path of [
    '/',
    '/v1/me',
    '/v1/openapi.json',
    '/svc.schema.json',
    '/metrics',
    '/auth/login',
    '/auth/callback',
    '/setup/none',
    '/x',
  ]) {
    for (const method of ['GET', 'POST']) {
      const answer = await browserAt(one).open(path, { method, headers: { authorization: `Bearer ${key}` } })
      t.match(answer, { status: 503, json: { code: 'unavailable', message: /svc\.example\.com\/setup$/ } }, path)
    }
  }
  t.equal((await browserAt(one).open('/webhooks/codehost', { method: 'POST', body: '{}' })).status, 503)
  for (const path of ['/healthz', '/readyz']) {
    t.match(await browserAt(one).open(path), { status: 200, json: { status: 'ok', setup_mode: true, version: String } })
  }
  const { status, text } = await browserAt(one).open('/setup/installed?installation_id=1&setup_action=install')
  t.match({ status, text }, { status: 200, text: /The app is installed/ })
})

t.test('the credentials are shown once, as variables that start the service', async (t) => {
  const browser = browserAt(one)
  const path = await makeApp(browser, '/setup?org=acme')
  // any instance may finish what another began, without a shared key
  const answer = await browserAt(two, browser.cookies).open(path)
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('cache-control'), 'no-store')
  t.match(answer.headers.get('content-security-policy'), /form-action 'none'/)
  const variables = printed(answer)
  t.same(Object.keys(variables), [
    'CODEHOST_APP_ID',
    'CODEHOST_WEBHOOK_SECRET',
    'CODEHOST_OAUTH_CLIENT_ID',
    'CODEHOST_OAUTH_CLIENT_SECRET',
    'CODEHOST_APP_PRIVATE_KEY',
    'CODEHOST_API_URL',
    'CODEHOST_WEB_URL',
  ])
  t.match(answer.text, /<pre>-----BEGIN RSA PRIVATE KEY-----\n/)
  const read = readConfig({ SVC_BASE_URL: 'http://svc.example.com', DATABASE_URL: database, ...variables })
  t.match(read, { config: { app: { id: Number }, oauth: { clientId: String }, codehost: { webUrl: github.webUrl } } })
  for (const at of [one, two]) {
    const again = await browserAt(at, new Map(browser.cookies)).open(path)
    t.match(again, { status: 400, text: /state: belongs to no set-up.*or was used/ })
    t.notMatch(again.text, /BEGIN RSA/)
  }
  const started = await people.start({ ...variables })
  t.match(await browserAt(started).open('/auth/login'), { status: 302 })
})

t.test('only the browser that began gets them, within the hour', async (t) => {
  const isForeign = async (browser: Browser, path: string, why: string) =>
    t.match(
      await browser.open(path, { headers: { accept: '*/*' } }),
      { status: 400, json: { details: { field: 'state' } } },
      why,
    )
  const browser = browserAt(one)
  const path = await makeApp(browser)
  t.match(browser.set(), [/^svc_setup=[\w-]{43}; Max-Age=3600; Path=\/setup; HttpOnly; SameSite=Lax$/])
  await isForeign(browserAt(one), path, 'another browser')
  const other = browserAt(one)
  await other.open('/setup')
  await isForeign(other, path, 'another browser that also began')
  await isForeign(browser, path.replace(/state=[^&]+/, 'state=made-up'), 'another state')
  await isForeign(browser, path.replace(/&?state=[^&]+/, ''), 'no state')
  const began = clock.at
  clock.at = new Date(began.getTime() + 3_600_000)
  await isForeign(browser, path, 'an hour later')
  clock.at = began
  t.equal((await browser.open(path)).status, 200, 'none of these used it up')
})

t.test('a second tab does not break the first', async (t) => {
  const browser = browserAt(one)
  const first = await makeApp(browser)
  await browser.open('/setup')
  t.equal((await browser.open(first)).status, 200)
})

t.test('an unknown code, and an odd one', async (t) => {
  const browser = browserAt(one)
  const { action } = formOf(await browser.open('/setup'))
  const state = new URL(action).searchParams.get('state')
  for (const code of ['', '../x', 'a'.repeat(201)]) {
    const answer = await browser.open(`/setup/callback?state=${state}&code=${encodeURIComponent(code)}`)
    t.match(answer, { status: 400, text: /code: must be/ }, code)
  }
  t.match(await browser.open(`/setup/callback?state=${state}&code=made-up`), {
    status: 400,
    text: /code: is not known/,
  })
})

/** A service with its own app, over the same database. */
const configured = async (t: Test, allowResetup: boolean, setupMode = false) => {
  const made = { id: 7, name: 'svc-new', url: 'https://github.com/apps/svc-new', clientId: 'Iv1', clientSecret: 'cs' }
  const asked: string[] = []
  const answers = [new Problem('unavailable', 'github: making the app: down')]
  const service = await serve(t, {
    setupMode,
    databaseUrl: (await testDatabase(t)).url,
    baseUrl: 'https://svc.example.com',
    setup: {
      allowResetup,
      convert: async (code) => {
        asked.push(code)
        const failure = answers.pop()
        if (failure) throw failure
        return {
          ...made,
          webhookSecret: null,
          privateKey: '-----BEGIN RSA PRIVATE KEY-----\nkey\n-----END RSA PRIVATE KEY-----\n',
        }
      },
    },
  })
  return { browser: browserAt(service.address), asked, service }
}

t.test('with an app configured, the page says so, and shows nothing more', async (t) => {
  const { browser, asked } = await configured(t, false)
  const page = await browser.open('/setup')
  t.match(page, { status: 200, text: /An app is configured.*SVC_ALLOW_RESETUP/s })
  t.notMatch(page.text, /<form/)
  for (const other of ['0', 'true', ''])
    t.match(await browser.open(`/setup?force=${other}`), { status: 200, text: /An app is configured/ }, other)
  for (const path of ['/setup?force=1', '/setup/callback', '/setup/callback?code=c&state=s']) {
    const answer = await browser.open(path, { headers: { accept: '*/*' } })
    t.match(answer, { status: 404, json: { code: 'not_found' } }, path)
    t.match(await browser.open(path), { status: 404, text: /Nothing is here/ }, path)
  }
  t.equal((await browser.open('/setup/installed')).status, 200)
  t.same(asked, [])
})

t.test('another app is created if that is allowed and asked for', async (t) => {
  const { browser, asked, service } = await configured(t, true)
  t.match(await browser.open('/setup'), { status: 200, text: /An app is configured/ })
  const page = await browser.open('/setup?force=1')
  t.match(page.headers.get('content-security-policy'), /form-action 'self' https:\/\/github\.com;/)
  t.match(browser.set(), [/; Secure; /])
  t.match(page.text, /<input type="hidden" name="force" value="1">/)
  const { action } = formOf(page)
  t.match(action, /^https:\/\/github\.com\/settings\/apps\/new\?state=/)
  const back = `/setup/callback?code=abc&state=${new URL(action).searchParams.get('state')}`
  t.match(await browser.open(back), { status: 503, text: /making the app: down/ })
  const answer = await browser.open(back)
  t.match(
    answer,
    { status: 200, text: /svc-new was created.*The code host created no webhook secret/s },
    'a reload continues',
  )
  t.match(printed(answer), {
    CODEHOST_APP_ID: '7',
    CODEHOST_WEBHOOK_SECRET: /^[0-9a-f]{64}$/,
    CODEHOST_OAUTH_CLIENT_ID: 'Iv1',
  })
  t.notOk('CODEHOST_API_URL' in printed(answer), 'github.com needs no addresses')
  t.same(asked, ['abc', 'abc'])
  t.notMatch(service.lines.join(''), /"cs"|BEGIN RSA/)
  t.equal((await query(service.databaseUrl, ['select count(*)::int as n from setup_states']))[0].n, 0)
})

t.test('of two that come back with one state at the same time, one gets the credentials', async (t) => {
  const { browser, service } = await configured(t, false, true)
  const { action } = formOf(await browser.open('/setup'))
  const back = `/setup/callback?code=abc&state=${new URL(action).searchParams.get('state')}`
  t.equal((await browser.open(back)).status, 503)
  const twins = [1, 2, 3].map(() => browserAt(service.address, new Map(browser.cookies)))
  const answers = await Promise.all(twins.map((twin) => twin.open(back)))
  t.same(answers.map(({ status }) => status).sort(), [200, 400, 400])
})
