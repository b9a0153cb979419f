import t from 'tap'
import { until } from '#test/helpers/until.ts'
import { type Browser, browserAt, peopleFor, signInAs } from '#test/scenes/people.ts'
import { query } from '#test/scenes/served.ts'
import { post } from '#test/scenes/two-organisations.ts'

/*
 * Who is an administrator besides API keys: a person who owns every account that the service serves. Their accounts are read
 * at sign-in; which accounts have the app is checked with every request.
 */

const people = await peopleFor(t)
const { github, env } = people
const acme = github.createInstallation({ account: 'acme', type: 'Organization' })
github.organization('acme').addMember('ada')
for (const owner of ['olga', 'zoe']) github.organization('acme').addMember(owner, 'owner')
github.organization('beta').addMember('zoe', 'owner')
github.organization('beta').addMember('olga')
const service = await people.start()
github.setWebhookUrl(`${service}/webhooks/codehost`)
const database = env.DATABASE_URL ?? ''

/** Waits until the service serves exactly these accounts. */
const serves = async (...accounts: string[]): Promise<void> => {
  await github.deliveriesSettled()
  await until(async () => {
    const rows = await query(database, [
      'select account_login from installations where suspended_at is null and removed_at is null order by 1',
    ])
    return rows.map(({ account_login }) => account_login).join() === accounts.join()
  })
}

const signedIn = async (login: string): Promise<Browser> => {
  const browser = browserAt(service)
  const { status, text } = await signInAs(browser, login)
  if (status !== 302) throw new Error(`${login} was not let in: ${status} ${text}`)
  return browser
}

/** The answer of Whoami, which must agree with the queue's. */
const isAdmin = async (browser: Browser): Promise<boolean> => {
  const { admin } = (await browser.open('/v1/me')).json
  const { status } = await browser.open('/v1/queue')
  if (status !== (admin ? 200 : 403)) throw new Error(`admin is ${admin}, and the queue answers ${status}`)
  return admin
}

await serves('acme')
const [ada, olga, zoe] = [await signedIn('ada'), await signedIn('olga'), await signedIn('zoe')]

t.test('if one organisation has the app, its owners are administrators and its members are not', async (t) => {
  t.equal(await isAdmin(olga), true)
  t.equal(await isAdmin(ada), false)
  t.match(await ada.open('/v1/queue'), {
    status: 403,
    json: { code: 'forbidden', message: /only administrators .* people who own every account that has the app/ },
  })
})

t.test('an administrator tries a dead job again, under their own name', async (t) => {
  const [dead] = await query(database, [
    `insert into jobs (queue, kind, key, payload, state, attempt, last_error, finished_at)
     values ('jobs', 'sync_installations', 'all', '{}', 'dead', 5, 'it broke', now()) returning id`,
  ])
  const path = `/v1/queue/${dead.id}/retry`
  t.match(await post(ada, path), { status: 403, json: { code: 'forbidden' } })
  t.match(await post(olga, path, undefined, {}), { status: 403, json: { message: /must come from/ } })
  t.match(await post(olga, path), { status: 200, json: { id: Number(dead.id), state: 'queued' } })
  const audited = await query(database, [`select actor, target from audit where action = 'queue_retry'`])
  t.same(audited, [{ actor: 'olga', target: `queue:${dead.id}` }])
})

t.test('once a second account has the app, the owner of one account is no longer an administrator', async (t) => {
  const beta = github.createInstallation({ account: 'beta', type: 'Organization' })
  await serves('acme', 'beta')
  t.equal(await isAdmin(olga), false, 'an owner of one, a member of the other')
  t.equal(await isAdmin(zoe), false, 'nor an owner of both, if a token showed only the first')
  t.equal(await isAdmin(await signedIn('zoe')), true, 'the owner of both, who has signed in since')
  beta.suspend()
  await serves('acme')
  t.equal(await isAdmin(olga), true, 'a suspended account is not served')
  beta.unsuspend()
  await serves('acme', 'beta')
  t.equal(await isAdmin(olga), false)
  beta.uninstall()
  await serves('acme')
  t.equal(await isAdmin(olga), true)
})

t.test('ownership that the person cannot show gives no right', async (t) => {
  github.person('zoe').conceal('acme')
  const again = await signedIn('zoe')
  t.match((await again.open('/v1/me')).json, { orgs: ['acme'] }, 'the installation shows them as a member')
  t.equal(await isAdmin(again), false)
  github.organization('acme').addMember('olga', 'member')
  t.equal(await isAdmin(olga), true, 'ownership at sign-in lasts as long as the session')
  t.equal(await isAdmin(await signedIn('olga')), false)
})

t.test('a personal account is owned by its person', async (t) => {
  github.createInstallation({ account: 'cyd', type: 'User' })
  await serves('acme', 'cyd')
  const cyd = await signedIn('cyd')
  t.equal(await isAdmin(cyd), false, 'not while another account is served')
  acme.uninstall()
  await serves('cyd')
  t.equal(await isAdmin(cyd), true)
  t.equal(await isAdmin(olga), false)
})

t.test('if no account is served, there is no administrator', async (t) => {
  const browser = await signedIn('cyd')
  await query(database, ['update installations set removed_at = now()'])
  t.equal(await isAdmin(browser), false)
})
