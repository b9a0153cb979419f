import type { Page } from 'playwright-core'
import t from 'tap'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { query } from '#test/scenes/scene.ts'
import { audit, screens, startPlace } from '../browser.ts'
import { planAnother } from '../run/storefront.ts'
import { tellDrift } from './who-drifted.ts'

/* What drifted over all repositories, with what changed alike in one place. */

const place = await startPlace(t, { files: withWorkflow })
// the default branch has stacks once something is merged
const merged = await planAnother(place, 'platform/dns')
await merged.merge()
await place.settled()
await tellDrift(place)

const alike = (page: Page) => page.getByRole('region', { name: /in 3 stacks$/ })
const worker = (page: Page) => page.getByRole('region', { name: /^12 to replace, 1 to create/ })

for (const screen of screens) {
  t.test(`the drift at ${screen.name}`, async (t) => {
    const seat = await place.sit('ada', screen)
    const { page } = seat
    await page.goto('/drift')
    await alike(page).waitFor()
    t.equal(await page.title(), 'Drift · svc')
    await audit(t, seat, `drift ${screen.name}`)
    await page.goto('/drift?q=nothing')
    await page.getByText('No stack that drifted is as these filters say.').waitFor()
    await audit(t, seat, `drift, no match ${screen.name}`)
  })
}

t.test(
  'what has drifted, and did one thing change them all? What, which stacks, since when, and the issue',
  async (t) => {
    const { page } = await place.sit('ada')
    await page.goto('/drift')
    await alike(page).waitFor()
    const headings = await page.getByRole('heading', { level: 2 }).allTextContents()
    t.same(headings, [
      '1 to destroy, 2 to change in 3 stacks',
      '12 to replace, 1 to create in 1 stack',
      '2 to change, 1 output in 1 stack',
    ])
    await page.getByText('5 stacks drifted · 3 different changes').waitFor()
    const lines = await alike(page).locator('.drift-changes li').allTextContents()
    t.match(lines[0], /^−to destroy: aws_security_group_rule\.opened_by_hand/)
    t.match(lines[1], /^~to change: aws_security_group_rule\.office/)
    const stacks = await alike(page).locator('.row-name').allTextContents()
    t.same(stacks, ['platform/network', 'observability/alerts', 'platform/identity'], 'the longest drifted first')
    t.equal(await alike(page).locator('time').count(), 4)
    const [issue] = place.repository.issues()
    const link = alike(page).getByRole('link', { name: `Issue #${issue?.number}` })
    t.match(await link.getAttribute('href'), new RegExp(`/issues/${issue?.number}$`))
    await page.getByText('2 without an address in the report').waitFor()
  },
)

t.test('the overview has the changes of most stacks first, and leads to all', async (t) => {
  const { page } = await place.sit('ada')
  const drift = page.getByRole('region', { name: 'Drift 5 stacks' })
  await drift.getByText('acme/infra · 1 to destroy, 2 to change in 3 stacks').waitFor()
  t.equal(await drift.getByRole('listitem').count(), 3)
  await drift.getByRole('link', { name: 'platform/network' }).waitFor()
  await drift.getByRole('link', { name: 'All drift' }).click()
  await alike(page).waitFor()
})

t.test('on the overview checks for drift are not among the plans and applies that ended', async (t) => {
  const { page } = await place.sit('ada')
  const ended = page.getByRole('region', { name: 'Ended lately' })
  await ended
    .getByRole('link', { name: /^Plan of #/ })
    .first()
    .waitFor()
  t.equal(await ended.getByRole('link', { name: 'Drift check' }).count(), 0)
  await ended.getByRole('link', { name: 'All runs' }).click()
  await page.getByRole('link', { name: 'Drift check' }).first().waitFor()
})

t.test('drift that cannot be loaded leaves the rest of the overview', async (t) => {
  const { page } = await place.sit('ada')
  await page.route('**/assets/Drift-*.js', (route) => route.abort())
  await page.goto('/')
  await page.getByRole('alert').getByText('The drift could not be shown').waitFor()
  t.ok(await page.getByRole('heading', { name: 'Overview' }).isVisible())
  await page.getByText('acme/infra').first().waitFor()
  await page.unroute('**/assets/Drift-*.js')
  await page.getByRole('button', { name: 'Load the page again' }).click()
  await page.getByRole('region', { name: 'Drift 5 stacks' }).waitFor()
})

t.test('many changes are shown once somebody asks', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/drift')
  const lines = worker(page).locator('.drift-changes .key')
  await lines.first().waitFor()
  t.equal(await lines.count(), 8)
  await worker(page).getByRole('button', { name: 'Show all 13 changes' }).click()
  t.equal(await lines.count(), 13)
  await worker(page).getByRole('button', { name: 'Show fewer changes' }).click()
  t.equal(await lines.count(), 8)
})

t.test('by keyboard to it, then to a stack, and to the plan of its check', async (t) => {
  const { page, complaints } = await place.sit('ada')
  await page.getByText('acme/infra').first().waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await worker(page).getByRole('link', { name: 'apps/worker', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/stacks\/[0-9a-f-]{36}$/)
  await page.goBack()
  await worker(page).getByRole('link', { name: 'Plan of apps/worker' }).click()
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}\/stacks\/apps%2Fworker$/)
  t.same(complaints(), [])
})

t.test('filters are in the address, and are taken away where nothing is as they say', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/drift')
  await page.getByRole('searchbox', { name: 'Stack' }).fill('worker')
  await page.getByRole('searchbox', { name: 'Stack' }).press('Enter')
  await page.getByText('Listed by words worker.').waitFor()
  t.equal(await alike(page).count(), 0)
  t.match(page.url(), /\?q=worker$/)
  await page.goto('/drift?repo=acme/nothing')
  await page.getByText('does not exist, or you may not read it').waitFor()
  await page.getByRole('button', { name: 'repository acme/nothing' }).click()
  await alike(page).waitFor()
})

t.test('where nothing has drifted it says when checks are made', async () => {
  await query(place, 'update drift_states set drifted = false, drifted_since = null returning 1')
  const { page } = await place.sit('ada')
  await page.goto('/drift')
  await page.getByText('No stack has drifted by its newest check.').waitFor()
})
