import t from 'tap'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { startPlace } from '../browser.ts'
import { applyStorefront, policy } from '../run/storefront.ts'

/* What the first page answers. The names of the tests are the questions of docs/ui.md. */

const place = await startPlace(t, { files: { ...withWorkflow, 'svc.yml': policy } })
const { applyId, pull } = await applyStorefront(place)
const { page } = await place.sit('ada')

t.test('what needs somebody now?', async (t) => {
  await page.goto('/')
  const needs = page.getByRole('region', { name: '2 things need somebody' })
  await needs.waitFor()
  const [failed, lost] = await needs.getByRole('listitem').allInnerTexts()
  t.match(
    failed,
    new RegExp(`data/database failed in the apply of #${pull.number} in acme/infra, which keeps its lock`),
  )
  t.match(lost, /platform\/registry is unknown .*: its job ended without a report/)
  const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts()
  t.match(headings.slice(0, 2), [/^2 things need somebody/, /^Under way/])
  await needs.getByRole('link', { name: 'See what failed' }).click()
  await page.getByText('StorageQuotaExceeded').first().waitFor()
  t.match(page.url(), new RegExp(`/runs/${applyId}\\?stack=data/database$`))
})

t.test('what runs, and how far is it?', async (t) => {
  await page.goto('/')
  const run = page
    .locator('.open-run')
    .filter({ has: page.getByRole('link', { name: `Apply of #${pull.number}`, exact: true }) })
  await run.waitFor()
  const waves = (await run.locator('.open-run-waves > li').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
  t.equal(waves.length, 3, 'a bar for each wave')
  t.match(waves, [/Wave 1/i, /Wave 2/i, /Wave 3/i])
  await page.getByRole('link', { name: 'All that are under way' }).click()
  await page.getByText('Listed by under way.').waitFor()
  await page
    .getByRole('link', { name: `Apply of #${pull.number}` })
    .first()
    .waitFor()
})
