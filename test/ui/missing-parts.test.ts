import type { Page } from 'playwright-core'
import t from 'tap'
import { picture, screens, startPlace } from './browser.ts'

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

/**
 * Opens the overview where its main script is answered with 404 as often as is said, until it was loaded once more by itself; answers how
 * often it was asked for.
 */
const withoutMain = async (page: Page, times: number): Promise<() => number> => {
  let asked = 0
  let loaded = 0
  const { promise: loadedAgain, resolve } = Promise.withResolvers<void>()
  page.on('load', () => {
    loaded += 1
    if (loaded === 2) resolve()
  })
  await page.route('**/assets/main-*.js', (route) => {
    asked += 1
    return asked > times ? route.continue() : route.fulfill({ status: 404 })
  })
  await page.goto('/', { waitUntil: 'commit' })
  await loadedAgain
  return () => asked
}

t.test('a document whose main script is of another version is loaded again by itself', async (t) => {
  const { page } = await place.sit('ada')
  const asked = await withoutMain(page, 1)
  await overview(page).waitFor()
  t.equal(asked(), 2)
})

for (const screen of screens) {
  t.test(
    `without its main script the document says what to do, and is loaded again once, at ${screen.name}`,
    async (t) => {
      const seat = await place.sit('ada', screen)
      const { page } = seat
      const asked = await withoutMain(page, Number.POSITIVE_INFINITY)
      const words = page.getByText('svc is loading. If this stays, load the page again.')
      await words.waitFor()
      t.equal(asked(), 2)
      const directory = process.env.SVC_TEST_SCREENSHOTS
      if (directory !== undefined) await picture(page, directory, `starting ${screen.name}`)
      await page.unroute('**/assets/main-*.js')
      await page.reload()
      await overview(page).waitFor()
      t.equal(await words.count(), 0)
    },
  )
}
