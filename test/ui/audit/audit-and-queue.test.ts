import type { Page } from 'playwright-core'
import t from 'tap'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { query } from '#test/scenes/scene.ts'
import { audit, screens, startPlace } from '../browser.ts'
import { failedApply } from '../run/an-apply.ts'
import { tabTo } from '../tab-to.ts'

/* Who did what; and for administrators, what was given up. */

const place = await startPlace(t, { files: withWorkflow })
await failedApply(place)
place.github.organization('acme').addMember('olga', 'owner')
place.repository.setPermission('olga', 'write')
const [stack] = await query(place, `select id from stacks where key = 'data/database'`)

/** Somebody released a lock. */
const unlock = async (page: Page, reason: string): Promise<void> => {
  await page.evaluate(
    async ([id, reason]) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ reason }) }
      await fetch(`/v1/stacks/${id}/unlock`, init)
    },
    [String(stack?.id), reason] as const,
  )
}

const giveUp = async (error: string): Promise<number> => {
  const [row] = await query(
    place,
    `insert into jobs (queue, kind, key, payload, state, attempt, last_error, finished_at)
     values ('jobs', 'sync_installations', 'all', '{}', 'dead', 5, '${error}', now()) returning id`,
  )
  return Number(row?.id)
}

const rows = (page: Page, name: string) => page.getByRole('grid', { name }).locator('tbody [data-row]')
const id = await giveUp('the code host answered 500')
{
  const { page } = await place.sit('ada')
  await unlock(page, 'the quota is raised')
}

for (const screen of screens) {
  t.test(`the pages at ${screen.name}`, async (t) => {
    const seat = await place.sit('olga', screen)
    const { page } = seat
    await page.goto('/audit')
    await rows(page, 'Audit log').first().waitFor()
    t.equal(await page.title(), 'Audit · svc')
    await audit(t, seat, `audit ${screen.name}`)
    await page.goto('/audit?actor=nobody&action=unlock')
    await page.getByText('None of the entries is as these filters say.').waitFor()
    await audit(t, seat, `audit, no match ${screen.name}`)
    await page.goto('/queue')
    await rows(page, 'Queue').first().waitFor()
    t.equal(await page.title(), 'Queue · svc')
    await audit(t, seat, `queue ${screen.name}`)
    await page.getByRole('button', { name: 'Retry…' }).click()
    await page.getByRole('dialog').waitFor()
    await audit(t, seat, `retrying ${screen.name}`)
    await page.goto('/queue?state=queued')
    await page.getByText('Nothing waits.').waitFor()
    await audit(t, seat, `queue, nothing ${screen.name}`)
  })
}

/** A day as its field takes it from the keyboard. */
const typed = (day: Date): string =>
  [day.getMonth() + 1, day.getDate(), day.getFullYear()].map((part) => String(part).padStart(2, '0')).join('')

t.test(
  'who unlocked it last week? By keyboard alone, from the overview; the address says what was asked',
  async (t) => {
    const { page } = await place.sit('ada')
    const daysAgo = (days: number) => page.evaluate((days) => Date.now() - days * 86_400_000, days)
    await query(
      place,
      `insert into audit (at, actor, action, target, details, actor_id)
     select at - interval '8 days', actor, action, target, details || '{"reason":"the disk was full"}', actor_id
     from audit where action = 'unlock' returning id`,
    )
    await page.getByText('acme/infra').first().waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await rows(page, 'Audit log').first().waitFor()
    await tabTo(page, page.getByLabel('Did what'))
    await page.keyboard.type('released')
    await page.getByText('Listed by action unlock.').waitFor()
    t.equal(await rows(page, 'Audit log').count(), 2)
    await tabTo(page, page.getByLabel('Stack or target'))
    await page.keyboard.type('acme/infra//data/database')
    await page.keyboard.press('Tab')
    await page.keyboard.type(typed(new Date(await daysAgo(9))))
    await tabTo(page, page.getByLabel('To, with that day'))
    await page.keyboard.type(typed(new Date(await daysAgo(7))))
    await page.getByText(/^Listed by action unlock, target acme\/infra\/\/data\/database, from .* and up to /).waitFor()
    t.equal(await rows(page, 'Audit log').count(), 1)
    t.match(await rows(page, 'Audit log').first().textContent(), /ada released a lock.*“the disk was full”/)
    await tabTo(page, rows(page, 'Audit log').first())
    await page.keyboard.press('Enter')
    const entry = page.getByRole('dialog', { name: 'ada released a lock' })
    await entry.getByText('the disk was full').waitFor()
    await page.keyboard.press('Escape')
    await entry.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('Listed by action unlock').waitFor()
    t.equal(await page.getByLabel('Stack or target').inputValue(), 'acme/infra//data/database')
    t.equal(await rows(page, 'Audit log').count(), 1)
  },
)

t.test('an entry leads to its stack, and the stack to its entries', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/audit?action=unlock')
  await rows(page, 'Audit log').first().getByRole('link', { name: 'data/database' }).click()
  await page.waitForURL(`**/stacks/${stack?.id}`)
  await page.getByRole('link', { name: 'Released before' }).click()
  await page.getByText('Listed by action unlock and target acme/infra//data/database.').waitFor()
  t.ok((await rows(page, 'Audit log').count()) > 0)
})

t.test('entries of a time: from a day on, and up to the end of another', async (t) => {
  const { page } = await place.sit('ada')
  const day = await page.evaluate(() => {
    const now = new Date()
    return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
  })
  await page.goto(`/audit?from=${day}&to=${day}`)
  await page.getByText(/^Listed by from .* and up to /).waitFor()
  t.ok((await rows(page, 'Audit log').count()) > 0)
  await page.goto('/audit?to=2020-01-01')
  await page.getByText('None of the entries is as these filters say.').waitFor()
  await page.goto('/audit?from=yesterday')
  await rows(page, 'Audit log').first().waitFor()
})

t.test('the queue is not for everybody, and the bar does not lead others there', async (t) => {
  const { page } = await place.sit('ada')
  t.equal(await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Queue' }).count(), 0)
  await page.goto('/queue')
  await page.getByRole('heading', { name: 'Not for ada' }).waitFor()
})

t.test('what was given up, and why? An administrator retries it, after reading what that does', async (t) => {
  const { page } = await place.sit('olga')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Queue' }).click()
  await rows(page, 'Queue').first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('the code host answered 500').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('u')
  const dialog = page.getByRole('dialog', { name: 'Retry the sync installations job' })
  await dialog.getByText('doing it twice does no harm').waitFor()
  await dialog.getByRole('button', { name: 'Queue it again' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Nothing was given up').waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  t.equal(await focused(), 'List of the queue', 'the focus stays by the rows, though there are none any more')
  const [row] = await query(place, `select state from jobs where id = ${id}`)
  t.not(row?.state, 'dead')
  await page.getByRole('button', { name: 'waiting' }).click()
  await page.waitForURL(/state=queued$/)
})
