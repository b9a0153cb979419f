import t from 'tap'
import { lockStates } from '#test/scenes/applying.ts'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { driftRun } from '#test/scenes/drifting.ts'
import { query } from '#test/scenes/scene.ts'
import { audit, screens, startPlace } from '../browser.ts'
import { applyStorefront, planAnother, policy } from '../run/storefront.ts'

/* A stack as it stands: its lock, who waits, its runs, its drift, its modules. */

const place = await startPlace(t, { files: { ...withWorkflow, 'svc.yml': policy } })
for (const outcome of ['none', 'failed', 'changes'] as const) await driftRun(place, 'data/database', outcome)
const { pull } = await applyStorefront(place)
const waiting = await planAnother(place, 'data/database')
const [database] = await query(place, `select id from stacks where key = 'data/database'`)
const path = `/stacks/${database?.id}`

for (const screen of screens) {
  t.test(`the stack at ${screen.name}`, async (t) => {
    const seat = await place.sit('ada', screen)
    const { page } = seat
    await page.goto(path)
    await page
      .getByText(/found drift/)
      .first()
      .waitFor()
    await page.getByText(/Half of them took up to/).waitFor()
    await page.getByText('1 waits').waitFor()
    t.equal(await page.title(), 'data/database · svc')
    await audit(t, seat, `stack ${screen.name}`)
  })
}

t.test('it says who holds its lock, who waits, and what its runs came to', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto(path)
  t.equal(await page.getByRole('link', { name: 'tag:data' }).getAttribute('href'), '/stacks?tag=data')
  const lock = page.getByRole('region', { name: 'Lock' })
  await lock.getByRole('link', { name: `#${pull.number}`, exact: true }).waitFor()
  await lock.getByRole('link', { name: `#${waiting.number}`, exact: true }).waitFor()
  const history = page.getByRole('region', { name: 'Its newest plans and applies' })
  await history.getByRole('link', { name: `Apply of #${pull.number}` }).waitFor()
  t.match(await history.getByRole('img').getAttribute('aria-label'), /failed/)
  await history.getByRole('link', { name: `Apply of #${pull.number}` }).click()
  await page.getByText('StorageQuotaExceeded').first().waitFor()
  await page.getByRole('link', { name: 'The stack as it stands' }).click()
  await page.waitForURL(`**${path}`)
})

t.test('has it drifted, and when?', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto(path)
  const drift = page.getByRole('region', { name: 'Drift' })
  await drift.getByText('1 check found drift, 1 found none, 1 found out nothing.').waitFor()
  t.equal(await drift.locator('rect').count(), 3)
  t.equal(await drift.locator('time').count(), 1, 'when it was checked last')
  await drift.getByRole('link', { name: 'The newest check' }).click()
  await page.getByRole('heading', { name: /^Drift check/ }).waitFor()
})

t.test(
  'that its last apply failed is said first, with the way to why; beside it is what else is affected',
  async (t) => {
    const { page } = await place.sit('ada')
    await page.goto(path)
    const needs = page.getByRole('region', { name: 'What needs somebody' })
    await needs.getByText(`The apply of #${pull.number} failed here`).waitFor()
    t.match(await needs.textContent(), /, and keeps the lock\./)
    const neighbours = page.getByRole('region', { name: 'Dependencies, both ways' })
    t.match(await neighbours.getByRole('link', { name: 'In the graph' }).getAttribute('href'), /graph\?stack=data/)
    await neighbours.getByRole('link', { name: 'apps/storefront/staging' }).click()
    await page.getByRole('heading', { name: 'apps/storefront/staging' }).waitFor()
    await page.goBack()
    await needs.getByRole('link', { name: 'See what failed' }).click()
    await page.getByText('StorageQuotaExceeded').first().waitFor()
    t.match(page.url(), /\/stacks\/data%2Fdatabase$/)
  },
)

t.test('the search, the locks and the overview lead to it', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/locks')
  await page.getByRole('link', { name: 'data/database' }).click()
  await page.waitForURL(`**${path}`)
  await page.goto('/')
  // all were taken at once: which five are shown is chance
  const oldest = page.locator('.oldest-locks a').first()
  await oldest.waitFor()
  t.match(await oldest.getAttribute('href'), /^\/stacks\/[0-9a-f-]{36}$/)
  await page.keyboard.press('/')
  await page.keyboard.type('data/database')
  await page
    .getByRole('option', { name: /data\/database/ })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${path}`)
  await page.getByRole('link', { name: 'Its machine' }).click()
  await page.getByRole('heading', { name: 'Machine of a lock' }).waitFor()
})

t.test('one that is not there is not told apart', async () => {
  const { page } = await place.sit('ada')
  await page.goto('/stacks/00000000-0000-4000-8000-000000000000')
  await page.getByRole('heading', { name: 'Not there, or not yours to see' }).waitFor()
})

t.test('its lock is released there', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto(path)
  await page.getByRole('button', { name: 'Release lock…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Release the lock on data/database' })
  await dialog.getByLabel('Why').fill('nothing of it is to stay')
  await dialog.getByRole('button', { name: 'Release the lock', exact: true }).click()
  await page.getByText('It is free').waitFor()
  t.same(await lockStates(place, ['data/database']), { 'data/database': 'free' })
})
