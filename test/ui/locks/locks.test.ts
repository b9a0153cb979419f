import type { Page } from 'playwright-core'
import t from 'tap'
import { auditOf, lockStates } from '#test/scenes/applying.ts'
import { newestRun } from '#test/scenes/commenting.ts'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { audit, screens, startPlace } from '../browser.ts'
import { applyStorefront, planAnother, policy } from '../run/storefront.ts'
import { tabTo } from '../tab-to.ts'

/* Who holds what, who waits, and how a lock is released by somebody who is not of the pull request. */

const place = await startPlace(t, { files: { ...withWorkflow, 'svc.yml': policy } })
const { pull } = await applyStorefront(place)
const waiting = await planAnother(place, 'data/database')
await newestRun(place, waiting, 'plan')

const board = (page: Page, group: string) => page.getByRole('grid', { name: `Locks, ${group}` })
const row = (page: Page, key: string) => page.locator('[data-row]', { hasText: key })

for (const screen of screens) {
  t.test(`the locks at ${screen.name}`, async (t) => {
    const seat = await place.sit('ada', screen)
    const { page } = seat
    await page.goto('/locks')
    await row(page, 'data/database').waitFor()
    t.equal(await page.title(), 'Locks · svc')
    await audit(t, seat, `locks ${screen.name}`)
    await row(page, 'data/database').getByRole('button', { name: 'Release…' }).click()
    await page.getByRole('dialog', { name: 'Release the lock on data/database' }).waitFor()
    await audit(t, seat, `releasing a lock ${screen.name}`)
    await page.goto('/locks?state=held.manual')
    await page.getByText('No lock that is held is as these filters say.').waitFor()
    await audit(t, seat, `locks, no match ${screen.name}`)
  })
}

t.test('those that others wait for come before those that nobody waits for, and each says who', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/locks')
  await board(page, 'rest').waitFor()
  const groups = await page
    .getByRole('grid')
    .evaluateAll((grids) => grids.map((grid) => grid.getAttribute('aria-label')))
  t.same(groups, ['Locks, waited for', 'Locks, rest'])
  const database = row(page, 'data/database')
  await database.locator('.locks-state').getByText('changed').waitFor()
  await database.getByRole('link', { name: `#${pull.number}` }).waitFor()
  await database.getByRole('link', { name: `#${waiting.number}` }).waitFor()
  await row(page, 'data/cache').getByText('nobody').waitFor()
})

t.test('filters are in the address, and a reload and Back keep them', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/locks')
  await page.getByRole('button', { name: /^claimed/ }).click()
  await row(page, 'data/database').waitFor({ state: 'detached' })
  await page.getByLabel('Repository').fill('acme/infra')
  await page.getByLabel('Repository').press('Enter')
  await page.getByText('Listed by repository acme/infra.').waitFor()
  t.match(page.url(), /state=held\.claimed/)
  await page.reload()
  await page.getByText('Listed by repository acme/infra.').waitFor()
  t.equal(await row(page, 'data/database').count(), 0)
  await row(page, 'apps/worker')
    .getByRole('link', { name: `#${pull.number}` })
    .first()
    .click()
  await page.getByRole('heading', { name: `Pull request #${pull.number}` }).waitFor()
  await page.goBack()
  await page.getByText('Listed by repository acme/infra.').waitFor()
  t.equal(await page.getByRole('button', { name: /^claimed/ }).getAttribute('aria-pressed'), 'true')
})

t.test('a lock is found by part of the key of its stack, over all repositories and in one', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/locks')
  await row(page, 'data/cache').waitFor()
  await page.getByLabel('Stack', { exact: true }).fill('BASE')
  await page.getByLabel('Stack', { exact: true }).press('Enter')
  await page.getByText('Listed by words BASE.').waitFor()
  await row(page, 'data/database').waitFor()
  t.equal(await page.locator('[data-row]').count(), 1)
  t.match(page.url(), /\/locks\?q=BASE$/)
  await page.reload()
  await row(page, 'data/database').waitFor()
  t.equal(await page.getByLabel('Stack', { exact: true }).inputValue(), 'BASE')
  await page.goto('/repos/acme/infra/locks?q=nothing')
  await page.getByText('No lock that is held is as these filters say.').waitFor()
  await page.getByRole('button', { name: 'words nothing' }).click()
  await row(page, 'data/cache').waitFor()
})

t.test('where none is as the filters say, they are taken away; a repository that is not there is said', async () => {
  const { page } = await place.sit('ada')
  await page.goto('/locks?repo=acme/nothing')
  await page.getByText('does not exist, or you may not read it').waitFor()
  await page.getByRole('button', { name: 'repository acme/nothing' }).click()
  await row(page, 'data/database').waitFor()
  await page.goto('/locks?state=held.manual')
  await page.getByRole('button', { name: 'state manual' }).click()
  await row(page, 'data/database').waitFor()
})

t.test('how is a lock released that nobody will release? By keyboard alone, from the overview', async (t) => {
  const { page, complaints } = await place.sit('ada')
  await page.getByText('acme/infra').first().waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await row(page, 'data/database').waitFor()
  await row(page, 'data/database')
    .getByRole('link', { name: `#${waiting.number}`, exact: true })
    .waitFor()
  await tabTo(page, row(page, 'data/database'))
  await page.keyboard.press('u')
  const dialog = page.getByRole('dialog', { name: 'Release the lock on data/database' })
  await dialog.getByText(`#${waiting.number} may then take it`).waitFor()
  await dialog.getByText('The state lock of the tool is not touched.').waitFor()
  await tabTo(page, dialog.getByLabel('Why'))
  await page.keyboard.type('nothing of it is to stay')
  await page.keyboard.press('Enter')
  t.same(await lockStates(place, ['data/database']), { 'data/database': 'held.changed' }, 'Enter does not release')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await dialog.getByText('which asks to look at the state lock of the tool').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  t.same(await lockStates(place, ['data/database']), { 'data/database': 'free' })
  await row(page, 'data/database').waitFor({ state: 'detached' })
  const [entry] = await auditOf(place, 'unlock')
  t.match(entry, { actor: 'ada', details: { force_state: true } })
  t.match(JSON.stringify(entry?.details), 'nothing of it is to stay')
  t.same(complaints(), [])
})

t.test('Enter opens the row that has the focus, though one above it has gone meanwhile', async (t) => {
  const { page } = await place.sit('ada')
  await page.clock.install()
  await page.goto('/locks')
  const rows = board(page, 'rest').locator('tbody [data-row]')
  await rows.nth(2).waitFor()
  const key = (await rows.nth(2).locator('a').first().textContent()) ?? ''
  const above = await rows.nth(0).locator('a').first().textContent()
  await rows.nth(2).focus()
  await page.route('**/v1/locks?**', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const items = body.items.filter(({ stack_key }: { stack_key: string }) => stack_key !== above)
    await route.fulfill({ response, json: { ...body, items } })
  })
  await page.clock.runFor(11_000)
  await row(page, above ?? '').waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: key }).waitFor()
  t.equal(new URL(page.url()).searchParams.get('stack'), key, 'the run that holds it, at its stack')
  await page.unrouteAll({ behavior: 'wait' })
})

t.test('who may not release one is told so, and the lock stays', async (t) => {
  place.repository.setPermission('ada', 'read')
  const { page } = await place.sit('ada')
  await page.goto('/locks')
  await row(page, 'data/cache').getByRole('button', { name: 'Release…' }).click()
  await page.getByLabel('Why').fill('because')
  await page.getByRole('button', { name: 'Release the lock', exact: true }).click()
  await page.getByRole('alert').getByText('It was not done').waitFor()
  t.same(await lockStates(place, ['data/cache']), { 'data/cache': 'held.changed' })
  place.repository.setPermission('ada', 'write')
})
