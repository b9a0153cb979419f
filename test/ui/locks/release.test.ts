import type { Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { auditOf, lockStates } from '#test/scenes/applying.ts'
import { comment, newestRun } from '#test/scenes/commenting.ts'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { audit, screens, startPlace } from '../browser.ts'
import { applyStorefront, planAnother, policy } from '../run/storefront.ts'

/* What comes of a release that does not go as the dialog said. */

const place = await startPlace(t, { files: { ...withWorkflow, 'svc.yml': policy } })
const { pull } = await applyStorefront(place)
const waiting = await planAnother(place, 'data/database')
await newestRun(place, waiting, 'plan')

const row = (page: Page, key: string) => page.locator('[data-row]', { hasText: key })

/** The dialog about a lock of the board, with a reason in it. */
const opened = async (page: Page, key: string): Promise<Locator> => {
  await page.goto('/locks')
  await row(page, key).getByRole('button', { name: 'Release…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Why').fill('it is stuck')
  return dialog
}

const release = (dialog: Locator): Promise<void> =>
  dialog.getByRole('button', { name: 'Release the lock', exact: true }).click()

/** Where it is, it is what a pointer would meet, at its top and at its bottom: neither out of the window nor under something. */
const seen = async (t: Test, part: Locator, what: string): Promise<void> => {
  const isOnTop = await part.evaluate((one) => {
    const { left, width, top, bottom } = one.getBoundingClientRect()
    return [top + 2, bottom - 2].every((y) => one.contains(document.elementFromPoint(left + width / 2, y)))
  })
  t.ok(isOnTop, `${what} is in sight`)
}

t.test('who took the lock while the dialog was read keeps it, and the dialog says who it is', async (t) => {
  const { page } = await place.sit('ada')
  const dialog = await opened(page, 'data/database')
  await dialog.getByText(`that #${pull.number} has held`).waitFor()
  await comment(place, pull, 'svc unlock data/database', 'grace')
  await comment(place, waiting, 'svc apply', 'grace')
  const taken = { 'data/database': 'held.claimed' }
  t.same(await lockStates(place, ['data/database']), taken)
  const before = await auditOf(place, 'unlock')
  const again = page.waitForResponse('**/v1/locks?**')
  await release(dialog)
  await dialog
    .getByRole('alert')
    .getByText(`It was not done: the lock on data/database is held by pull request #${waiting.number} `)
    .waitFor()
  await again
  t.same(await lockStates(place, ['data/database']), taken)
  t.same(await auditOf(place, 'unlock'), before)
  await row(page, 'data/database')
    .locator('.locks-holder')
    .getByText(`#${waiting.number}`)
    .waitFor({ state: 'attached' })
})

t.test(
  'where the answer is lost, what was done is not known: the dialog says so, and the board is read again',
  async (t) => {
    const { page } = await place.sit('ada')
    const dialog = await opened(page, 'data/cache')
    await page.route('**/unlock', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await release(dialog)
    const alert = dialog.getByRole('alert')
    await alert.getByText('It is not known whether it was done: the service does not answer').waitFor()
    t.same(await lockStates(place, ['data/cache']), { 'data/cache': 'free' }, 'this time it was')
    await row(page, 'data/cache').waitFor({ state: 'detached' })
    t.ok(await alert.isVisible())
  },
)

for (const screen of screens) {
  t.test(`where something in between gives up, it is not known either, at ${screen.name}`, async (t) => {
    const seat = await place.sit('ada', screen)
    const { page } = seat
    const dialog = await opened(page, 'platform/dns')
    await seen(t, dialog.getByRole('button', { name: 'Release the lock', exact: true }), 'the button')
    await page.route('**/unlock', (route) => route.fulfill({ status: 504, body: 'Gateway timeout' }))
    await release(dialog)
    await dialog.getByRole('alert').getByText('It is not known whether it was done').waitFor()
    await seen(t, dialog.getByRole('alert'), 'all of the alert')
    await audit(t, seat, `a release that is not known ${screen.name}`, /Failed to load resource/)
  })
}

t.test('a release is waited for longer than an answer to a question', async (t) => {
  const { page } = await place.sit('ada')
  const dialog = await opened(page, 'platform/dns')
  await page.evaluate(() => {
    const { timeout } = AbortSignal
    // the time that questions are given is over at once
    AbortSignal.timeout = (ms) => (ms <= 20_000 ? AbortSignal.abort() : timeout.call(AbortSignal, ms))
  })
  await release(dialog)
  await dialog.waitFor({ state: 'detached' })
  t.same(await lockStates(place, ['platform/dns']), { 'platform/dns': 'free' })
})

t.test('a release that finds the lock free says so, and does not look like one that did something', async (t) => {
  const { page } = await place.sit('ada')
  const dialog = await opened(page, 'platform/identity')
  await comment(place, pull, 'svc unlock platform/identity', 'grace')
  const before = await auditOf(place, 'unlock')
  await release(dialog)
  await dialog.getByText('Nobody holds the lock any more, so there was nothing to release.').waitFor()
  await row(page, 'platform/identity').waitFor({ state: 'detached' })
  t.same(await auditOf(place, 'unlock'), before)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

/** What has the focus, by its row or its name. */
const focused = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => {
    const at = document.activeElement
    return at?.matches('[data-row]') ? at.querySelector('.row-name')?.textContent : at?.getAttribute('aria-label')
  })

const names = (page: Page): Promise<string[]> => page.locator('[data-row] .row-name').allTextContents()

t.test('the focus goes to the row that takes the place of the one that is released, by key and by mouse', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/locks')
  await row(page, 'observability/metrics').waitFor()
  const dialog = page.getByRole('dialog')
  const releaseAt = async (at: number, ask: (row: Locator) => Promise<void>): Promise<void> => {
    const before = await names(page)
    const asked = page.locator('[data-row]').nth(at)
    await ask(asked)
    await dialog.getByLabel('Why').fill('it is stuck')
    await release(dialog)
    await dialog.waitFor({ state: 'detached' })
    await row(page, before[at] ?? '').waitFor({ state: 'detached' })
    const left = before.toSpliced(at, 1)
    t.same(await names(page), left)
    t.equal(await focused(page), left[Math.min(at, left.length - 1)], `after ${before[at]} of ${before}`)
  }
  const byKey = async (row: Locator) => {
    await row.focus()
    await page.keyboard.press('u')
  }
  const count = (await names(page)).length
  await releaseAt(count - 1, byKey)
  await releaseAt(count - 3, (row) => row.getByRole('button', { name: 'Release…' }).click())
  // a group of one: its table goes with it
  await releaseAt(0, byKey)
  await page.keyboard.press('j')
  await page.locator('[data-row]:focus').waitFor()
})

t.test('who left the rows is left where they are', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/locks')
  const first = page.locator('[data-row]').first()
  await first.focus()
  await page.getByRole('heading', { name: 'Locks' }).click()
  const [name = ''] = await names(page)
  await page.route('**/v1/locks?**', (route) => route.fulfill({ json: { items: [] } }))
  await row(page, name).waitFor({ state: 'detached' })
  t.equal(await page.evaluate(() => document.activeElement?.id), 'content')
})

t.test('after the last lock the focus is on the place of the locks', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/locks')
  await page.locator('[data-row]').first().focus()
  await page.route('**/v1/locks?**', (route) => route.fulfill({ json: { items: [] } }))
  await page.getByText('No lock is held').waitFor()
  t.equal(await focused(page), 'List of the locks')
})
