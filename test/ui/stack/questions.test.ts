import type { Page } from 'playwright-core'
import t from 'tap'
import { query } from '#test/scenes/scene.ts'
import { asking } from '../asking.ts'
import { startPlace } from '../browser.ts'
import { tellWhoIsBehind } from '../module/who-is-behind.ts'
import { card } from '../run/storefront.ts'

/*
 * Questions that a stack's own page answers, two clicks from a run that has it. Their names are the questions of docs/ui.md.
 */

const place = await startPlace(t)
await tellWhoIsBehind(place)
const [run] = await query(
  place,
  `select r.id from runs r join repositories p on p.id = r.repo_id where p.full_name = 'acme/shop' and r.mode = 'plan'`,
)
const { page } = await place.sit('ada')

/** From the run to its stack: the card, then the page. */
const openStack = async (page: Page, key: string) => {
  const asked = await asking(page, `/runs/${run?.id}`)
  await asked.click(card(page, key))
  await asked.click(page.getByRole('region', { name: key }).getByRole('link', { name: 'The stack as it stands' }))
  await page.getByRole('heading', { level: 1, name: key }).waitFor()
  return asked
}

t.test('how far behind are its modules?', async (t) => {
  const { clicks } = await openStack(page, 'apps/web')
  const modules = page.getByRole('region', { name: 'Modules' })
  await modules.getByText('acme/mods//net').waitFor()
  t.match((await modules.innerText()).replaceAll(/\s+/g, ' '), /asks for net\/v1\.1\.0, newest net\/v2\.0\.0 4 behind/)
  t.equal(clicks(), 2)
})

t.test('who else is affected, in other repositories?', async (t) => {
  const { clicks } = await openStack(page, 'apps/web')
  const neighbours = page.getByRole('region', { name: 'Dependencies, both ways' })
  await neighbours.getByRole('heading', { name: '1 stack needs it' }).waitFor()
  const routes = neighbours.getByRole('link', { name: 'routes' })
  t.match(await routes.innerText(), /acme\/edge/)
  t.equal(clicks(), 2)
  await routes.click()
  await page.getByRole('heading', { level: 1, name: 'routes' }).waitFor()
})
