import t from 'tap'
import { signIn, startPlace } from './browser.ts'

const place = await startPlace(t)
const { base } = place

t.test('a session that ends in the middle asks to sign in, and afterwards the view is the same', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/runs/2919a255-0000-4000-8000-000000000001/timeline?status=failed,unknown&q=vpc')
  await page.getByRole('heading', { name: 'Not there, or not yours to see' }).waitFor()
  await page.goto('/')
  await page.getByText('acme/infra').first().waitFor()
  await page.context().clearCookies()
  await page.getByRole('heading', { name: 'Sign in to svc' }).waitFor()
  t.equal(page.url(), `${base}/sign-in?next=/`)
  await signIn(page, 'ada', '/?')
  t.match(page.url(), `${base}/`)
})

t.test('the way back keeps what was chosen', async (t) => {
  const { page } = await place.sit()
  const chosen = '/runs/2919a255-0000-4000-8000-000000000001/timeline?stack=a/b:c&status=failed,unknown&q=x+y'
  await page.goto(chosen)
  await page.getByRole('link', { name: 'Sign in at the code host' }).click()
  await page.getByLabel('Somebody else').fill('ada')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('heading', { name: 'Not there, or not yours to see' }).waitFor()
  t.equal(page.url(), `${base}${chosen}`)
})

t.test('signing out ends the session, and leaves nothing in the tab', async (t) => {
  const { page } = await place.sit('ada')
  await page.getByRole('button', { name: 'account of ada' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to svc' }).waitFor()
  t.same(await page.context().cookies(base), [])
  await page.goBack()
  await page.getByRole('heading', { name: 'Sign in to svc' }).waitFor()
})

t.test('the service going away is said, and what was there stays', async (t) => {
  const { page } = await place.sit('ada')
  await page.clock.install()
  await page.goto('/')
  await page.getByText('acme/infra').first().waitFor()
  await page.getByText('Live', { exact: false }).first().waitFor()
  await page.route('**/v1/**', (route) => route.abort())
  for (let i = 0; i < 6; i += 1) await page.clock.runFor(30_000)
  await page.getByText(/Not live since \d\d:\d\d:\d\d/).waitFor()
  t.ok(await page.getByText('acme/infra').first().isVisible())
  await page.unroute('**/v1/**')
  await page.getByRole('button', { name: 'Try now' }).click()
  await page.getByText(/^Live/).waitFor()
})

t.test('a part of an older build that is gone loads the page again, once', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/nothing')
  let asked = 0
  let isThere = false
  await page.route('**/assets/overview-*.js', (route) => {
    asked += 1
    return isThere ? route.continue() : route.fulfill({ status: 404 })
  })
  await page.getByRole('link', { name: 'To the overview' }).click()
  await page.getByRole('heading', { name: 'This page broke' }).waitFor()
  t.equal(page.url(), `${base}/`)
  t.equal(asked, 2, 'once before it was loaded again, and once after')
  isThere = true
  await page.getByRole('button', { name: 'Load it again' }).click()
  await page.getByText('acme/infra').first().waitFor()
})
