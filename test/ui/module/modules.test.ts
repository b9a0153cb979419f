import type { Page } from 'playwright-core'
import t from 'tap'
import { audit, screens, startPlace } from '../browser.ts'
import { tabTo } from '../tab-to.ts'
import { tellWhoIsBehind } from './who-is-behind.ts'

/* Which modules there are, who is how far behind, across repositories. */

const place = await startPlace(t)
let id = ''

t.test('without a module, it is said when there will be one', async (t) => {
  const seat = await place.sit('ada')
  await seat.page.goto('/modules')
  await seat.page.getByText('No stack of a default branch uses a module that you may see.').waitFor()
  await audit(t, seat, 'modules, none')
  id = await tellWhoIsBehind(place)
})

const row = (page: Page, key: string) => page.locator('[data-row]', { hasText: key })
const heading = (page: Page) => page.getByRole('heading', { name: 'acme/mods//net' })

for (const screen of screens) {
  t.test(`the modules at ${screen.name}`, async (t) => {
    const seat = await place.sit('ada', screen)
    await seat.page.goto('/modules')
    await row(seat.page, 'acme/mods//net').waitFor()
    t.equal(await seat.page.title(), 'Modules · svc')
    await audit(t, seat, `modules ${screen.name}`)
    await seat.page.goto(`/modules/${id}`)
    await row(seat.page, 'apps/admin').waitFor()
    t.equal(await seat.page.title(), 'acme/mods//net · svc')
    await audit(t, seat, `module ${screen.name}`)
    await seat.page.goto(`/modules/${id}?at=net/v1.0.0&repo=acme/edge`)
    await row(seat.page, 'cdn').waitFor()
    await audit(t, seat, `module, chosen ${screen.name}`)
  })
}

t.test('the module with most stacks behind comes first, with how many use it', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/modules')
  await row(page, 'acme/mods//net').waitFor()
  const first = await page.locator('[data-row="0"]').innerText()
  t.match(first.replaceAll(/\s+/g, ' '), /acme\/mods\/\/net.* git net\/v2\.0\.0 2 6 3 stacks 5 versions/)
  await page.getByLabel('Find a module').fill('label')
  await row(page, 'acme/mods//net').waitFor({ state: 'detached' })
  t.match(page.url(), /\?q=label/)
  await page.getByLabel('Find a module').fill('nothing')
  await page.getByText('No module has “nothing” in its key.').waitFor()
  await page.getByRole('button', { name: 'words nothing' }).click()
  await row(page, 'acme/mods//net').waitFor()
})

t.test('a version of the ladder, and a number of the matrix, leave their stacks; the address keeps it', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto(`/modules/${id}`)
  await page.getByText('3 stacks are behind').waitFor()
  t.equal(await page.locator('[data-row]').count(), 6)
  await page.getByText('3 versions that nobody asks for').waitFor()
  await page.getByRole('button', { name: /^net\/v1\.0\.0/ }).click()
  await row(page, 'data/main').waitFor({ state: 'detached' })
  t.equal(await page.locator('[data-row]').count(), 2, 'of two repositories')
  await page.getByRole('button', { name: '1 of acme/edge at net/v1.0.0' }).click()
  await row(page, 'apps/admin').waitFor({ state: 'detached' })
  t.match(page.url(), /repo=acme\/edge/)
  await page.reload()
  await row(page, 'cdn').waitFor()
  t.equal(await page.locator('[data-row]').count(), 1)
  await page.getByRole('button', { name: 'Take all away' }).click()
  await row(page, 'data/main').waitFor()
  await page.getByRole('button', { name: '1 stack without a version' }).click()
  await row(page, 'apps/admin').waitFor({ state: 'detached' })
  await row(page, 'data/lab').getByText('not known').waitFor()
})

t.test('by keyboard alone: from the overview to the stacks furthest behind a module', async (t) => {
  const { page, complaints } = await place.sit('ada')
  await page.getByText('acme/shop').first().waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await row(page, 'acme/mods//net').waitFor()
  await tabTo(page, row(page, 'acme/mods//net'))
  await page.keyboard.press('Enter')
  await heading(page).waitFor()
  await row(page, 'apps/admin').waitFor()
  t.same(
    (await page.locator('[data-row]').allInnerTexts()).slice(0, 2).map((text) => /\d behind/.exec(text)?.[0]),
    ['5 behind', '5 behind'],
  )
  t.same(complaints(), [])
})

t.test('a module is found by the search, and one that is not there is said', async () => {
  const { page } = await place.sit('ada')
  await page.goto('/search?q=mods')
  await page.getByRole('option', { name: 'acme/mods//net' }).click()
  await heading(page).waitFor()
  await page.goto('/modules/0192a4c8-5e1d-4f00-8a00-ffffffffffff')
  await page.getByText('or ada may not read').waitFor()
})

t.test('while the service does not answer, the pages say so and can be asked again', async () => {
  const { page } = await place.sit('ada')
  await page.route('**/v1/modules**', (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', message: 'away' } }),
  )
  await page.goto('/modules')
  await page.getByText('Reading the modules did not work').waitFor()
  await page.unroute('**/v1/modules**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await row(page, 'acme/mods//net').waitFor()
})
