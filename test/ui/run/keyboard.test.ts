import type { Page } from 'playwright-core'
import t from 'tap'
import { lockStates } from '#test/scenes/applying.ts'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { startPlace } from '../browser.ts'
import { hold } from '../intercept.ts'
import { tabTo } from '../tab-to.ts'
import { applyStorefront, card, policy } from './storefront.ts'

const place = await startPlace(t, { files: { ...withWorkflow, 'svc.yml': policy } })
const { applyId, second, pull } = await applyStorefront(place)

const focusedStack = (page: Page) =>
  page.evaluate(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement.dataset.stack : undefined,
  )

t.test('the run moves while it is looked at, and what changed is read out', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto(`/runs/${applyId}`)
  await card(page, 'platform/cluster').getByText('applying').waitFor()
  await second.job.report(applyId, 'platform/cluster', {})
  await card(page, 'platform/cluster').getByText('applied').waitFor()
  await page.locator('.status-pill', { hasText: 'Failed' }).waitFor()
  await page.getByRole('status').getByText('Apply of #1 is failed.').waitFor()
  t.equal(await card(page, 'apps/worker').getByText('the run ended first').count(), 1)
})

t.test('by keyboard alone: find the failed stack, read why, release its lock, plan again', async (t) => {
  const { page, complaints } = await place.sit('ada')
  const press = (key: string) => page.keyboard.press(key)
  await page.goto(`/runs/${applyId}`)
  await card(page, 'data/database').waitFor()
  await press('f')
  await card(page, 'platform/network').waitFor({ state: 'detached' })
  t.match(page.url(), /status=failed,unknown/)
  await press('j')
  await page.locator(':focus[data-stack]').waitFor()
  t.equal(await focusedStack(page), 'data/database')
  await press('Enter')
  await page.getByText('StorageQuotaExceeded').waitFor()
  await press('u')
  const dialog = page.getByRole('dialog', { name: 'Release the lock on data/database' })
  await dialog.waitFor()
  t.equal(await dialog.getByRole('button', { name: 'Release the lock' }).isDisabled(), true)
  await dialog.getByText('Say why first.').waitFor()
  await dialog.getByText('The state lock of the tool is not touched.').waitFor()
  await tabTo(page, dialog.getByLabel('Why'))
  await page.keyboard.type('the quota is raised')
  await press('Enter')
  t.equal(await dialog.count(), 1, 'Enter does not release')
  t.same(await lockStates(place, ['data/database']), { 'data/database': 'held.changed' })
  await press('Tab')
  await press('Space')
  await dialog.getByText('which asks to look at the state lock of the tool').waitFor()
  await tabTo(page, dialog.getByRole('button', { name: 'Release the lock' }))
  await press('Enter')
  await dialog.waitFor({ state: 'detached' })
  t.same(await lockStates(place, ['data/database']), { 'data/database': 'free' })
  await page.getByText('Nobody holds a lock on it.').waitFor()
  await page.getByText('No lock is held on it.').waitFor()
  await place.settled()
  t.match(pull.comments().at(-1)?.body ?? '', /the quota is raised/)

  t.equal(await focusedStack(page), 'data/database', 'the focus is where it was')
  await tabTo(page, page.getByRole('button', { name: 'Plan again…' }))
  await press('Enter')
  const again = page.getByRole('dialog', { name: 'Plan #1 again' })
  await again.getByText('Nothing is applied.').waitFor()
  await tabTo(page, again.getByRole('button', { name: 'Plan again' }))
  await press('Enter')
  await page.getByRole('heading', { name: 'Plan of #1: A change' }).waitFor()
  t.not(new URL(page.url()).pathname, `/runs/${applyId}`)
  await page.getByText('ada asked for it again').waitFor()
  t.same(complaints(), [])
})

t.test('a filter is shown at once, also to who is on a card', async (t) => {
  const { page } = await place.sit('ada')
  // cards are as wide as they get, with one wave as with several
  await page.setViewportSize({ width: 1920, height: 900 })
  await page.goto(`/runs/${applyId}`)
  await card(page, 'data/database').waitFor()
  await page.keyboard.press('j')
  await page.locator(':focus[data-stack]').waitFor()
  await page.keyboard.press('f')
  await card(page, 'platform/network').waitFor({ state: 'detached' })
  t.match(page.url(), /status=failed,unknown/)
})

t.test('a release that is under way cannot be left: how it ended is told', async (t) => {
  place.repository.setPermission('ada', 'read')
  const { page } = await place.sit('ada')
  const letGo = await hold(page, '**/unlock')
  await page.goto(`/runs/${applyId}?stack=data/cache`)
  await page.getByRole('button', { name: 'Release lock…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Release the lock on data/cache' })
  await dialog.getByLabel('Why').fill('because')
  await dialog.getByRole('button', { name: 'Release the lock', exact: true }).click()
  t.ok(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled())
  for (const _ of [1, 2, 3, 4]) await page.keyboard.press('Escape')
  letGo()
  await dialog.getByRole('alert').getByText('It was not done').waitFor()
  t.match(page.url(), /stack=data\/cache$/, 'nor was the panel closed behind it')
  place.repository.setPermission('ada', 'write')
})

t.test('Escape takes a tip away, and leaves the page as it is', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto(`/runs/${applyId}?stack=data/database`)
  const panel = page.getByRole('region', { name: 'data/database' })
  await panel.waitFor()
  await page.locator('.tip[tabindex="0"]').first().focus()
  await page.locator('.tip-text:popover-open').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.tip-text:popover-open').waitFor({ state: 'detached' })
  t.match(page.url(), /stack=data\/database$/)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

t.test('arrows and letters move on the board, which is one stop of the tab key', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto(`/runs/${applyId}`)
  await card(page, 'data/database').waitFor()
  t.equal(await page.locator('.board [tabindex="0"]').count(), 1)
  const moves: [string, string][] = [
    ['j', 'observability/metrics'],
    ['j', 'platform/dns'],
    ['l', 'data/database'],
    ['ArrowDown', 'platform/cluster'],
    ['ArrowRight', 'apps/worker'],
    ['End', 'observability/alerts'],
    ['h', 'platform/registry'],
    ['k', 'platform/cluster'],
  ]
  for (const [key, to] of moves) {
    await page.keyboard.press(key)
    await page.locator(`:focus[data-stack="${to}"]`).waitFor()
  }
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'platform/cluster' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: 'platform/cluster' }).waitFor({ state: 'detached' })
  t.equal(await focusedStack(page), 'platform/cluster')
  await page.keyboard.press('6')
  await page.getByText('This run has no warnings.').waitFor()
})

t.test('the link to the view is copied by a key, or is said not to be: to the eye as to the ear', async (t) => {
  const { page } = await place.sit('ada')
  const note = page.locator('.note')
  await page.goto(`/runs/${applyId}`)
  await card(page, 'data/database').waitFor()
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('not in this test'))
  })
  await page.keyboard.press('y')
  await note.getByText('This browser did not let the link be copied.').waitFor()
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.resolve()
  })
  await page.keyboard.press('y')
  await note.getByText('Copied the link to this view.').waitFor()
  t.ok(await note.isVisible())
})

t.test(
  'Escape closes the stack, then goes back: looking at stacks leaves nothing behind that Back goes through',
  async (t) => {
    const { page } = await place.sit('ada')
    const panel = page.getByRole('region', { name: 'data/database' })
    await page.goto('/runs')
    await page.locator(`[data-row] a[href="/runs/${applyId}"]`).click()
    for (const _ of ['once', 'and once more']) {
      await card(page, 'platform/network').click()
      await card(page, 'data/database').click()
      await panel.waitFor()
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
    }
    t.equal(new URL(page.url()).search, '')
    await page.goForward()
    await panel.waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.waitForURL('**/runs')
  },
)

t.test('a stack that is closed with another filter than it was opened with leaves the filter', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/runs')
  await page.locator(`[data-row] a[href="/runs/${applyId}"]`).click()
  await card(page, 'data/database').click()
  await page.getByRole('region', { name: 'data/database' }).waitFor()
  await page.keyboard.press('f')
  await page.waitForURL(/status=failed,unknown/)
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: 'data/database' }).waitFor({ state: 'detached' })
  t.match(page.url(), /\?status=failed,unknown$/)
  await page.keyboard.press('Escape')
  await card(page, 'platform/network').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(/\/runs\/[^/?]*$/)
  await page.keyboard.press('Escape')
  await page.waitForURL('**/runs')
})

t.test('on a phone a sheet that is closed stays so: Back goes to where the run was opened', async () => {
  const { page } = await place.sit('ada', { name: '', viewport: { width: 375, height: 667 }, colorScheme: 'light' })
  await page.goto('/runs')
  await page.locator(`[data-row] a[href="/runs/${applyId}"]`).click()
  await card(page, 'data/database').click()
  const sheet = page.getByRole('dialog', { name: 'data/database' })
  await sheet.getByRole('button', { name: 'Close', exact: true }).click()
  await sheet.waitFor({ state: 'detached' })
  await page.goBack()
  await page.waitForURL('**/runs')
})
