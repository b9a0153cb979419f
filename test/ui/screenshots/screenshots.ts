import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { picture, type Screen, screens, startPlace } from '../browser.ts'
import { policy } from '../run/storefront.ts'
import { type Pictured, pagesOf } from './pages.ts'
import { tellStory } from './story.ts'

/*
 * npm run screenshots [-- --only NAME,NAME | --docs]
 *
 * Writes a picture of every page in each of its forms into tmp/screenshots, to be looked at, and prints the list; with --docs those of
 * README and docs/ui.md into docs/pictures. No test: what is right
 * about a picture is for people to say. It is a file of tap's all the same, since what it starts is ended with one.
 */

/** Each width in both colours, and with the browser's own. */
const forms: Screen[] = [
  ...(['light', 'dark'] as const).flatMap((colorScheme) =>
    screens.map((screen) => ({ ...screen, name: `${colorScheme}-${screen.name}`, colorScheme })),
  ),
  ...screens.slice(0, 1).map((wide) => ({ ...wide, name: 'forced-1280', forcedColors: 'active' as const })),
]

const take = async (t: Test, page: Page, { address, act, isWhole }: Pictured, path: string): Promise<void> => {
  await page.goto(address)
  if (act) {
    await page.locator('main h1').first().waitFor()
    await act(page)
  }
  // what is not as it should be is worth a picture
  await isWhole(page)
    .waitFor()
    .catch((error) => t.fail(`${path}: ${error}`))
  t.pass(await picture(page, directory, path))
}

/** The pages that documents show, wide and in both colours. */
const inDocuments: readonly string[] = ['overview', 'board', 'repository-graph']
const formsInDocuments: readonly string[] = ['light-1280', 'dark-1280']

/** The queue is shown to who owns every account. */
const owner = 'olga'

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, docs: { type: 'boolean', default: false } },
})
const only = values.only.split(',')
const isAsked = (name: string): boolean =>
  values.docs ? inDocuments.includes(name) : only.some((part) => name.includes(part))
const directory = join(import.meta.dirname, '../../..', values.docs ? 'docs/pictures' : 'tmp/screenshots')
t.setTimeout(600_000)
const place = await startPlace(t, { files: { ...withWorkflow, 'svc.yml': `${policy}drift: { issues: true }\n` } })
place.github.organization('acme').addMember(owner, 'owner')
const pages = pagesOf(await tellStory(place)).filter(({ name }) => isAsked(name))
if (pages.length === 0) throw new Error(`no page's name has '${values.only}' in it`)
for (const form of values.docs ? forms.filter(({ name }) => formsInDocuments.includes(name)) : forms) {
  t.test(form.name, { timeout: 300_000 }, async (t) => {
    const [ada, olga] = [await place.sit('ada', form), await place.sit(owner, form)]
    for (const pictured of pages) {
      const { page } = pictured.address === '/queue' ? olga : ada
      await take(t, page, pictured, `${pictured.name}-${form.name}`)
    }
    for (const { page } of [ada, olga]) await page.context().close()
  })
}
