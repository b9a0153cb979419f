import type { Page } from 'playwright-core'
import t from 'tap'
import { startPlace } from './browser.ts'

/* What a person sees when a file of the pages does not come, or when what is around every page breaks. */

const place = await startPlace(t)

const overview = (page: Page) => page.getByText('acme/infra').first()

t.test('a search that cannot be loaded says so over the page, which stays', async (t) => {
  const { page } = await place.sit('ada')
  await page.route('**/assets/SearchDialog-*.js', (route) => route.abort())
  await page.goto('/')
  // a part that does not come loads the page again, once: as it is read ahead, or by the key
  const again = page.waitForEvent('load')
  await overview(page).waitFor()
  await page.keyboard.press('/')
  await again
  await overview(page).waitFor()
  await page.keyboard.press('/')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await dialog.getByRole('alert').getByText('The search could not be shown').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  t.ok(await overview(page).isVisible(), 'the page is still there')
  await page.keyboard.press('/')
  await page.unroute('**/assets/SearchDialog-*.js')
  await dialog.getByRole('button', { name: 'Load the page again' }).click()
  await overview(page).waitFor()
  await page.keyboard.press('/')
  await dialog.getByRole('combobox').waitFor()
})

t.test('where what is around every page breaks, that is said, and not nothing', async (t) => {
  const { page } = await place.sit('ada')
  await page.route('**/v1/me', (route) => route.fulfill({ json: { kind: 'person', orgs: [] } }))
  await page.goto('/')
  await page.getByRole('heading', { name: 'This page broke' }).waitFor()
  await page.unroute('**/v1/me')
  await page.getByRole('button', { name: 'Load it again' }).click()
  await overview(page).waitFor()
  t.pass('and it comes back')
})
