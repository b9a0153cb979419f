import t from 'tap'
import { startPlace } from './browser.ts'

const place = await startPlace(t)
const { base } = place

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
