import type { Page } from 'playwright-core'
import t from 'tap'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { audit, screens, startPlace } from '../browser.ts'
import { tellWhoIsBehind } from '../module/who-is-behind.ts'
import { applyStorefront, planAnother, policy } from '../run/storefront.ts'

/* Stacks of all repositories, by how they stand. */

const place = await startPlace(t, { files: { ...withWorkflow, 'svc.yml': policy } })
// the default branch has stacks once something is merged
const merged = await planAnother(place, 'platform/dns')
await merged.merge()
await place.settled()
const { pull } = await applyStorefront(place)
await tellWhoIsBehind(place)

const rows = (page: Page) => page.getByRole('grid', { name: 'Stacks' }).locator('tbody [data-row]')
const chip = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

t.test('which stacks of all repositories have failed, are locked, use old modules?', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/')
  await page.getByRole('link', { name: 'failed', exact: true }).click()
  await page.waitForURL(/\/stacks\?status=failed$/)
  await page.getByText('Listed by status failed.').waitFor()
  t.equal(await rows(page).count(), 1)
  t.match(await rows(page).first().textContent(), /data\/database.*acme\/infra/)
  await chip(page, 'failed').click()
  await chip(page, 'locked').click()
  await page.getByText('Listed by locked.').waitFor()
  await page.getByLabel('Stack', { exact: true }).fill('registry')
  await page.getByLabel('Stack', { exact: true }).press('Enter')
  await page.getByText('Listed by words registry and locked.').waitFor()
  t.match(page.url(), /q=registry/)
  await rows(page).first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'platform/registry' }).waitFor()
  await page.goBack()
  await page.getByText('Listed by words registry and locked.').waitFor()
  await chip(page, 'all').click()
  await page.getByText('Listed by words registry.').waitFor()
  await page.goto('/stacks')
  await chip(page, 'modules behind').click()
  await page.getByText('Listed by modules behind.').waitFor()
  t.match(await rows(page).first().textContent(), /cdn.*acme\/edge.*5 behind/)
})

t.test('a plan since then does not hide that the last apply failed and has its lock', async (t) => {
  await planAnother(place, 'data/database')
  const { page } = await place.sit('ada')
  await page.goto('/stacks?status=failed')
  await page.getByText('None of the stacks is as these filters say.').waitFor()
  await page.goto('/stacks')
  await chip(page, 'last apply went wrong').click()
  await page.getByText('Listed by last apply failed or unknown or unconfirmed.').waitFor()
  await chip(page, 'locked').click()
  await page.getByText(/^Listed by locked and last apply failed/).waitFor()
  const words = (await rows(page).allTextContents()).map((row) => row.replaceAll(/\s+/g, ' '))
  t.equal(words.length, 2)
  t.match(words[0], new RegExp(`^data/database acme/infra.*planned.*failed in #${pull.number}`))
  t.match(words[1], /^platform\/registry.*unknown.*unknown in #/)
  await page.reload()
  await rows(page).nth(1).waitFor()
  await rows(page)
    .first()
    .getByRole('link', { name: `failed in #${pull.number}` })
    .click()
  await page.getByText('StorageQuotaExceeded').first().waitFor()
})

for (const screen of screens) {
  t.test(`the stacks at ${screen.name}`, async (t) => {
    const seat = await place.sit('ada', screen)
    const { page } = seat
    await page.goto('/stacks?apply=failed,unknown')
    await rows(page).first().waitFor()
    t.equal(await page.title(), 'Stacks · svc')
    if (screen.name === '375') await rows(page).first().getByText('last apply failed, acme/infra').waitFor()
    await audit(t, seat, `stacks ${screen.name}`)
  })
}
