import type { Page, Request } from 'playwright-core'
import t from 'tap'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { startPlace } from './browser.ts'
import { refuse } from './intercept.ts'
import { beginApply } from './run/an-apply.ts'
import { card } from './run/storefront.ts'

/* What a person sees when something between them and what they look at is not as it should be. */

const place = await startPlace(t, { files: withWorkflow })
const { base } = place
const { id } = await beginApply(place)
const api = '**/v1/**'
const minute = 60_000

/** Lets the page's time go on by seconds, as long as it takes: what was asked is answered before the next second. */
const passUntil = async (page: Page, isThere: () => Promise<boolean>): Promise<number> => {
  const asked: Request[] = []
  page.on('request', (request) => asked.push(request))
  for (let seconds = 0; seconds < 120; seconds += 1) {
    if (await isThere()) return seconds
    await page.clock.runFor(1000)
    await Promise.all(asked.splice(0).map((request) => request.response()))
  }
  throw new Error(`not within two minutes: ${await page.locator('main').textContent()}`)
}

const lost = /Not live since \d\d:\d\d:\d\d/

t.test(
  'the service is down for a while: that is said, what was there stays, and it comes back by itself',
  async (t) => {
    const { page } = await place.sit('ada')
    await page.clock.install()
    await page.goto(`/runs/${id}`)
    await card(page, 'platform/network').getByText('applying').waitFor()
    await page.getByText('Live', { exact: false }).first().waitFor()
    let asked = 0
    await page.route(api, (route) => {
      asked += route.request().url().includes(`/v1/runs/${id}?`) ? 1 : 0
      return route.abort()
    })
    const seconds = await passUntil(page, () => page.getByText(lost).isVisible())
    t.ok(seconds <= 10, `said after ${seconds} s`)
    t.ok(asked >= 3, 'not at the first question that goes unanswered')
    t.ok(await card(page, 'platform/network').isVisible(), 'what was there stays')
    await page.unroute(api)
    await passUntil(page, async () => !(await page.getByText(lost).isVisible()))
    await page.getByText('Live', { exact: false }).first().waitFor()
  },
)

t.test('who does not want to wait for it tries now', async () => {
  const { page } = await place.sit('ada')
  await page.clock.install()
  await page.goto('/')
  await page.getByText('acme/infra').first().waitFor()
  await page.route(api, (route) => route.abort())
  await passUntil(page, () => page.getByText(lost).isVisible())
  await page.getByText('acme/infra').first().waitFor()
  await page.unroute(api)
  await page.getByRole('button', { name: 'Try now' }).click()
  await page.getByText(/^Live/).waitFor()
})

t.test(
  'a part whose question went unanswered once asks again, though the page around it is drawn anew meanwhile',
  async (t) => {
    const { page } = await place.sit('ada')
    await page.clock.install()
    let asked = 0
    await page.route('**/v1/locks?limit=5', (route) => {
      asked += 1
      return asked === 1 ? route.abort() : route.continue()
    })
    await page.goto('/')
    await page.getByText('acme/infra').first().waitFor()
    const seconds = await passUntil(page, async () => asked > 1)
    t.ok(seconds <= 30, `asked again after ${seconds} s`)
  },
)

t.test('a part that is no longer read makes the page say so, though the rest of it is live', async (t) => {
  const { page } = await place.sit('ada')
  await page.clock.install()
  await page.goto(`/runs/${id}/gate`)
  const verdict = page.getByRole('heading', { name: /^(Let through|Would)/ })
  await verdict.waitFor()
  await page.route('**/gate', (route) => route.abort())
  await passUntil(page, () => page.getByText(lost).isVisible())
  t.ok(await verdict.isVisible(), 'what was read stays')
  await page.unroute('**/gate')
  await page.getByRole('button', { name: 'Try now' }).click()
  await page.getByText(/^Live/).waitFor()
})

t.test('the bar comes when it is known who looks, though the first answer failed', async () => {
  const { page } = await place.sit('ada')
  let asked = 0
  await page.route('**/v1/me', (route) => {
    asked += 1
    return asked === 1 ? refuse(route) : route.continue()
  })
  await page.clock.install()
  await page.goto('/')
  await page.getByText('acme/infra').first().waitFor()
  await passUntil(page, () => page.getByRole('navigation', { name: 'Main' }).isVisible())
})

t.test('an answer that it cannot be done just now is shown with its id, and trying again helps', async (t) => {
  const { page } = await place.sit('ada')
  const message = 'the database did not answer within 5 s'
  const answer = { status: 503, json: { code: 'unavailable', message }, headers: { 'x-request-id': 'req-7c1f' } }
  await page.route(`**/v1/runs/${id}?**`, (route) => route.fulfill(answer))
  await page.goto(`/runs/${id}`)
  const problem = page.getByRole('alert')
  await problem.getByText(message).waitFor()
  t.match(await problem.textContent(), /unavailable, request req-7c1f/)
  t.match(await problem.getByRole('link', { name: 'unavailable' }).getAttribute('href'), /errors-[^#]*\.md$/)
  await page.unroute(`**/v1/runs/${id}?**`)
  await problem.getByRole('button', { name: 'Try again' }).click()
  await card(page, 'platform/network').waitFor()
})

const ofRun = `**/v1/runs/${id}?**`
const gone = { status: 404, json: { code: 'not_found', message: `run ${id} does not exist` } }
const notThere = (page: Page) => page.getByRole('heading', { name: 'Not there, or not yours to see' })

/** Looks at the run, then elsewhere for so long that its answer is forgotten, and comes back while it is answered like this. */
const comeBack = async (page: Page, answer: typeof gone): Promise<void> => {
  await page.clock.install()
  await page.goto(`/runs/${id}`)
  await card(page, 'platform/network').waitFor()
  await page.getByRole('link', { name: 'Overview' }).first().click()
  await page.getByText('acme/infra').first().waitFor()
  await page.clock.fastForward(6 * minute)
  await page.route(ofRun, (route) => route.fulfill(answer))
  await page.getByRole('link', { name: 'Apply of #1' }).first().click()
}

t.test('a run that is shown from memory is not live where the service does not answer', async (t) => {
  const { page } = await place.sit('ada')
  await comeBack(page, { status: 503, json: { code: 'unavailable', message: 'not now' } })
  await passUntil(page, () => page.getByText(lost).isVisible())
  t.ok(await card(page, 'platform/network').isVisible(), 'what was there stays')
  await page.unroute(ofRun)
  await page.getByRole('button', { name: 'Try now' }).click()
  await page.getByText(/^Live/).waitFor()
})

t.test('a run that is kept in memory is not shown to who may not see it any more', async (t) => {
  const { page } = await place.sit('ada')
  await comeBack(page, gone)
  await notThere(page).waitFor()
  t.equal(await card(page, 'platform/network').count(), 0)
})

t.test('a page whose run goes while it is looked at says so, and has it again once it is there', async (t) => {
  const { page } = await place.sit('ada')
  await page.clock.install()
  await page.goto(`/runs/${id}`)
  await card(page, 'platform/network').waitFor()
  await page.route(ofRun, (route) => route.fulfill(gone))
  await passUntil(page, () => notThere(page).isVisible())
  t.equal(await page.title(), 'Not there · svc')
  await page.unroute(ofRun)
  await passUntil(page, () => card(page, 'platform/network').isVisible())
  t.equal(await page.title(), 'Apply of #1 · acme/infra · svc')
})

t.test('one part that cannot be read leaves the others', async (t) => {
  const { page } = await place.sit('ada')
  await page.route('**/journal?**', refuse)
  await page.goto(`/runs/${id}/machine`)
  await page.getByRole('alert').getByText('not now').waitFor()
  await page.getByText('applying.running').first().waitFor()
  t.pass('the chart says where the run is')
})

t.test('a session that ends in the middle asks to sign in, and afterwards the view is the same', async (t) => {
  const { page } = await place.sit('ada')
  const chosen = `${base}/runs/${id}?stack=platform/network&status=applying&q=platform`
  await page.goto(chosen)
  await page.getByRole('heading', { name: 'Why it is in this run' }).waitFor()
  await page.context().clearCookies()
  await page.getByRole('heading', { name: 'Sign in to svc' }).waitFor()
  await page.getByRole('link', { name: 'Sign in at the code host' }).click()
  await page.getByLabel('Somebody else').fill('ada')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('heading', { name: 'Why it is in this run' }).waitFor()
  t.equal(page.url(), chosen)
})

t.test('the run of a repository that one may not read is as one that is not there', async (t) => {
  place.github.createInstallation({ account: 'other', type: 'Organization' })
  place.github.organization('other').addMember('mallory')
  await place.settled()
  const { page } = await place.sit('mallory')
  const said = async (run: string) => {
    await page.goto(`/runs/${run}`)
    await page.getByRole('heading', { name: 'Not there, or not yours to see' }).waitFor()
    await page.getByText('mallory may not read').waitFor()
    return page.locator('main').textContent()
  }
  t.equal(await said(id), await said('2919a255-0000-4000-8000-000000000001'))
})

for (const [words, off] of [
  ['behind', -60],
  ['ahead', 60],
] as const) {
  t.test(`a clock that is an hour ${words}: what is told is by the service's`, async (t) => {
    const { page } = await place.sit('ada')
    await page.clock.install({ time: Date.now() + off * minute })
    await page.goto(`/runs/${id}`)
    const soFar = page.getByText(/so far$/).first()
    await soFar.waitFor()
    t.match(await soFar.textContent(), /^(\d+ s|[1-9] min( \d+ s)?) so far$/)
    await page.goto(`/runs/${id}/timeline`)
    await page.getByText(/^now \d\d:\d\d:\d\d$/).waitFor()
    const [, shown = ''] = /now ([\d:]+)/.exec((await page.getByText(/^now /).textContent()) ?? '') ?? []
    const apart = await page.evaluate((shown) => {
      const [hours = 0, minutes = 0] = shown.split(':').map(Number)
      const here = new Date()
      return ((hours * 60 + minutes - here.getHours() * 60 - here.getMinutes() + 36 * 60) % (24 * 60)) - 12 * 60
    }, shown)
    t.ok(Math.abs(apart + off) <= 2, `${apart} minutes from the clock of the machine`)
  })
}

t.test(
  'who goes to a page that is not loaded yet while the service is away is told so, and goes on later',
  async (t) => {
    const { page } = await place.sit('ada')
    // read ahead: a part that fails when the service is back would load the page again
    const search = page.waitForResponse(/SearchDialog-.*\.js$/)
    await page.goto('/nothing')
    await search
    const link = page.getByRole('link', { name: 'To the overview' })
    await link.waitFor()
    await page.route('**/*', (route) => route.abort())
    await link.click()
    await page.getByRole('heading', { name: 'This page broke' }).waitFor()
    t.equal(page.url(), `${base}/`)
    await page.unroute('**/*')
    await page.getByRole('button', { name: 'Load it again' }).click()
    await page.getByText('acme/infra').first().waitFor()
  },
)

t.test('a part of an older build that is gone loads the page again, once', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/nothing')
  let asked = 0
  let isThere = false
  await page.route('**/assets/overview-*.js', (route) => {
    asked += 1
    return isThere ? route.continue() : route.fulfill({ status: 404 })
  })
  const again = page.waitForEvent('load')
  await page.getByRole('link', { name: 'To the overview' }).click()
  await again
  await page.getByRole('heading', { name: 'This page broke' }).waitFor()
  t.equal(page.url(), `${base}/`)
  t.equal(asked, 2, 'once before it was loaded again, and once after')
  isThere = true
  await page.getByRole('button', { name: 'Load it again' }).click()
  await page.getByText('acme/infra').first().waitFor()
})
