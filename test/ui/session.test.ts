import t from 'tap'
import { audit, startPlace } from './browser.ts'

const place = await startPlace(t)
const { base } = place
for (const name of ['bea', 'cleo']) place.github.organization('acme').addMember(name)

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

t.test('signing out that does not work is told, and tried again', async (t) => {
  const seat = await place.sit('bea')
  const { page } = seat
  const dialog = page.getByRole('dialog', { name: 'Signing out did not work' })
  await page.route('**/auth/logout', (route) => route.abort())
  await page.getByRole('button', { name: 'account of bea' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await dialog.getByText('You may still be signed in: the service does not answer').waitFor()
  await audit(t, seat, 'signing out does not work', /Failed to load resource/)
  await page.unroute('**/auth/logout')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Sign in to svc' }).waitFor()
  t.same(await page.context().cookies(base), [])
})

t.test('a session that has ended already is signed out of', async () => {
  const { page } = await place.sit('cleo')
  await page.route('**/auth/logout', (route) =>
    route.fulfill({ status: 401, json: { code: 'unauthorized', message: 'the session has ended' } }),
  )
  await page.getByRole('button', { name: 'account of cleo' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in*')
})
