import type { Page } from 'playwright-core'
import t from 'tap'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { audit, screens, startPlace } from '../browser.ts'
import { applyStorefront, policy } from '../run/storefront.ts'

/* What needs what in a repository, as a picture and as a table. */

const place = await startPlace(t, { files: { ...withWorkflow, 'svc.yml': policy } })
const address = '/repos/acme/infra/graph'
const picture = (page: Page) => page.getByRole('img', { name: /^The graph: 12 stacks/ })
const row = (page: Page, key: string) => page.locator('[data-row]', { hasText: key })

t.test('before there is a graph, it is said when there will be one', async (t) => {
  const seat = await place.sit('ada')
  await seat.page.goto(address)
  await seat.page.getByText('No graph is recorded yet.').waitFor()
  await audit(t, seat, 'graph, none', /404/)
  await applyStorefront(place)
})

for (const screen of screens) {
  t.test(`the graph at ${screen.name}`, async (t) => {
    const seat = await place.sit('ada', screen)
    const { page } = seat
    await page.goto(address)
    await picture(page).waitFor()
    await page.getByRole('button', { name: /^failed/ }).waitFor()
    await audit(t, seat, `graph ${screen.name}`)
    await page.goto(`${address}?stack=data/database&reach=needed`)
    await page.getByRole('heading', { name: 'data/database' }).waitFor()
    await audit(t, seat, `graph, a stack ${screen.name}`)
    await page.goto(`${address}?as=table`)
    await row(page, 'data/database').waitFor()
    await audit(t, seat, `graph, as a table ${screen.name}`)
  })
}

t.test('who comes back to the page finds the graph where it was left, with what has changed', async (t) => {
  const { page } = await place.sit('ada')
  await page.clock.install()
  await page.goto(`${address}?as=table`)
  const table = page.getByRole('grid')
  await row(page, 'data/cache').waitFor()
  await table.evaluate((shown) => shown.setAttribute('data-left', 'here'))
  await page.route('**/graph?form=compact', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll('data/cache', 'data/renamed') })
  })
  await page.clock.runFor(31_000)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await row(page, 'data/renamed').waitFor()
  t.equal(await table.getAttribute('data-left'), 'here')
  await page.unrouteAll({ behavior: 'wait' })
})

t.test(
  'how do the stacks of a repository depend on each other? One is chosen, and its lines are explained',
  async (t) => {
    const { page, complaints } = await place.sit('ada')
    await page.goto(address)
    await picture(page).waitFor()
    // the first stack of the first wave, below the head and the name of its directory
    const { x = 0, y = 0 } = (await picture(page).boundingBox()) ?? {}
    await page.mouse.click(x + 14 + 60, y + 30 + 6 + 24 + 12)
    await page.getByRole('heading', { name: 'observability/metrics' }).waitFor()
    t.match(page.url(), /stack=observability\/metrics/)
    await page.getByRole('button', { name: /^All that needs it/ }).click()
    await page.getByText('what the chosen stack needs').waitFor()
    await page.goto(`${address}?stack=data/database`)
    await page.getByRole('heading', { name: /^It needs/ }).waitFor()
    await page.getByText('its code reads the state of it').first().waitFor()
    await page.getByText('tag:data').waitFor()
    await page.getByRole('button', { name: 'platform/network' }).click()
    await page.getByRole('heading', { name: 'platform/network' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'platform/network' }).waitFor()
    t.same(complaints(), [])
  },
)

t.test('filters are those of the stacks, and where none is left they are taken away', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto(`${address}?as=table`)
  await row(page, 'apps/worker').waitFor()
  await page.getByRole('button', { name: /^failed/ }).click()
  await row(page, 'apps/worker').waitFor({ state: 'detached' })
  t.match(page.url(), /status=failed/)
  await page.getByText('1 found.').waitFor()
  await page.getByRole('searchbox').fill('nothing')
  await page.getByText('No stack is as these filters say.').waitFor()
  await page.getByRole('button', { name: 'Take all away' }).click()
  await row(page, 'apps/worker').waitFor()
})

t.test('by keyboard alone: to the graph, from stack to stack, and back to none', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/repos/acme/infra')
  await page.locator('[data-row]').first().waitFor()
  await page.keyboard.press('3')
  await picture(page).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: 'observability/metrics' }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: 'platform/dns' }).waitFor()
  await page.keyboard.press('l')
  await page.getByText('wave 2', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Choose a stack to see what it needs.').waitFor()
  t.notMatch(page.url(), /stack=/)
})

t.test('while the service does not answer, the page says so and can be asked again', async () => {
  const { page } = await place.sit('ada')
  const json = { code: 'unavailable', message: 'away' }
  await page.route('**/graph?form=compact', (route) => route.fulfill({ status: 503, json }))
  await page.goto(address)
  await page.getByText('Reading the graph did not work').waitFor()
  await page.unroute('**/graph?form=compact')
  await page.getByRole('button', { name: 'Try again' }).click()
  await picture(page).waitFor()
})
