import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { startPlace } from '../browser.ts'
import { applyStorefront, card, planAnother, policy } from './storefront.ts'

/*
 * Questions that the board answers, each with as many clicks as it may take, beginning at the run's own address.
 */

const place = await startPlace(t, { files: { ...withWorkflow, 'svc.yml': policy } })
const { applyId, pull } = await applyStorefront(place)
const waiting = await planAnother(place, 'data/database')
const { page } = await place.sit('ada')

const asked = async () => {
  let clicks = 0
  await page.goto(`/runs/${applyId}`)
  const click = async (where: Locator): Promise<void> => {
    clicks += 1
    await where.click()
  }
  return { click, clicks: () => clicks }
}

const panel = (of: Page, key: string): Locator => of.getByRole('region', { name: key })

t.test('why is this stack here?', async (t) => {
  const { click, clicks } = await asked()
  await click(card(page, 'data/database'))
  const why = panel(page, 'data/database').locator('.stack-why')
  await why.getByText('acme-state/platform/network/terraform.tfstate, inferred').waitFor()
  const lines = await why.locator('li').allInnerTexts()
  t.same(
    lines.map((line) => line.replaceAll(/\s+/g, ' ').replaceAll('/ ', '/')),
    [
      'its own files → changed',
      'platform/network → reads state (acme-state/platform/network/terraform.tfstate, inferred)',
    ],
  )
  t.equal(clicks(), 1)
  await card(page, 'platform/dns').click()
  await panel(page, 'platform/dns').getByText('modules/zone').waitFor()
  await panel(page, 'platform/dns').getByText('uses the module').waitFor()
})

t.test('why is it blocked?', async (t) => {
  const { click, clicks } = await asked()
  await card(page, 'apps/storefront/production').getByText('by data/database').waitFor()
  t.equal(clicks(), 0, 'its card names the stack that failed')
  await click(card(page, 'apps/storefront/production'))
  await click(panel(page, 'apps/storefront/production').getByRole('link', { name: 'data/database' }).first())
  await panel(page, 'data/database').getByText('StorageQuotaExceeded').waitFor()
  t.match(page.url(), /\?stack=data\/database$/)
  t.equal(clicks(), 2)
})

t.test('what holds its lock, since when, and who waits?', async (t) => {
  const { click, clicks } = await asked()
  await click(card(page, 'data/database'))
  const beside = panel(page, 'data/database')
  await beside.getByText(`#${waiting.number} waits for it.`).waitFor()
  t.match(await beside.innerText(), /Held by this pull request since \d\d:\d\d:\d\d, \d+ (s|min) ago/)
  t.equal(clicks(), 1)
})

t.test('which job ran it?', async (t) => {
  const { click, clicks } = await asked()
  await click(card(page, 'data/database'))
  const job = panel(page, 'data/database').getByRole('link', { name: /^Job \d+$/ })
  t.match(await job.getAttribute('href'), /^https:\/\/codehost\.example\/acme\/infra\/actions\/runs\/9000\/job\/\d+$/)
  t.equal(clicks(), 1)
})

t.test('what is open, and what it is filtered by, are in the address: Back and a reload lose nothing', async (t) => {
  await asked()
  await page.getByRole('button', { name: 'failed 1' }).click()
  await card(page, 'platform/network').waitFor({ state: 'detached' })
  await card(page, 'data/database').click()
  await panel(page, 'data/database').waitFor()
  t.match(page.url(), /\?stack=data\/database&status=failed$/)
  await page.reload()
  await panel(page, 'data/database').waitFor()
  t.equal(await card(page, 'platform/network').count(), 0)
  await page.goBack()
  await panel(page, 'data/database').waitFor({ state: 'detached' })
  t.equal(await card(page, 'platform/network').count(), 0)
  await page.getByRole('searchbox').fill('cluster')
  await page.getByText('No stack of this run matches.').waitFor()
  await page.getByRole('button', { name: 'Show all 12' }).click()
  await card(page, 'platform/network').waitFor()
})

t.test('it leads to the pull request, the commit, and the plan it came from', async (t) => {
  await asked()
  const pullLink = page.getByRole('link', { name: 'Pull request' })
  t.match(await pullLink.getAttribute('href'), new RegExp(`/acme/infra/pull/${pull.number}$`))
  t.match(await page.getByRole('link', { name: pull.headSha().slice(0, 7) }).getAttribute('href'), /\/commit\//)
  await page.getByRole('link', { name: 'Plan it came from' }).click()
  await page.getByRole('heading', { name: /^Plan of #/ }).waitFor()
})
