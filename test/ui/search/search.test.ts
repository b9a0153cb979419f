import type { Page } from 'playwright-core'
import t from 'tap'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { audit, screens, startPlace } from '../browser.ts'
import { hold, refuse } from '../intercept.ts'
import { failedApply } from '../run/an-apply.ts'

/* Who does not know an id finds what they look for. */

const place = await startPlace(t, { files: withWorkflow })
const { id: applyId } = await failedApply(place)

const field = (page: Page) => page.getByRole('combobox', { name: /^Find a stack/ })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })
const chosen = (page: Page) => page.locator('[role=option][aria-selected=true]')

/** What the page asks the search for, from now on. */
const asked = (page: Page): string[] => {
  const texts: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/v1/search') texts.push(searchParams.get('q') ?? '')
  })
  return texts
}

for (const screen of screens) {
  t.test(`the search at ${screen.name}`, async (t) => {
    const seat = await place.sit('ada', screen)
    const { page } = seat
    await page.getByRole('button', { name: /^Find a stack/ }).click()
    await field(page).fill('a')
    await page.getByText('Two characters or more.').waitFor()
    await field(page).fill('at')
    await option(page, 'data/cache').waitFor()
    await audit(t, seat, `search dialog ${screen.name}`)
    await page.goto('/search?q=infra')
    await option(page, 'acme/infra').waitFor()
    t.equal(await page.title(), 'infra, search · svc')
    await audit(t, seat, `search ${screen.name}`)
    await page.goto('/search?q=nothing-like-it')
    await page.getByText('Nothing that you may see has “nothing-like-it” in its name.').waitFor()
    await audit(t, seat, `search, nothing ${screen.name}`)
    await page.goto('/nothing/here')
    await page.getByRole('heading', { name: 'Not there, or not yours to see' }).waitFor()
    await field(page).fill('data')
    await option(page, 'data/database').waitFor()
    await audit(t, seat, `not found, searching ${screen.name}`)
  })
}

t.test(
  'where is this run, stack, pull request? By keyboard alone: open the search, choose, go back, open',
  async (t) => {
    const { page } = await place.sit('ada')
    await page.getByText('acme/infra').first().waitFor()
    await page.keyboard.press('/')
    const dialog = page.getByRole('dialog', { name: 'Search' })
    await dialog.waitFor()
    await page.keyboard.type('data')
    await option(page, 'data/cache').waitFor()
    t.match(await chosen(page).textContent(), 'data/cache')
    await page.keyboard.press('ArrowDown')
    t.match(await chosen(page).textContent(), 'data/database')
    t.equal(
      await field(page).getAttribute('aria-activedescendant'),
      await chosen(page).getAttribute('id'),
      'and it is read out',
    )
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    t.match(await chosen(page).textContent(), 'data/database', 'round to the last')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.keyboard.type('#1')
    await option(page, /^#1 /).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Pull request #1' }).waitFor()
    t.equal(await dialog.count(), 0)
  },
)

t.test('Enter before the answer opens the first thing that is found', async () => {
  const { page } = await place.sit('ada')
  await page.keyboard.press('/')
  await page.keyboard.type(applyId.slice(0, 13))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Apply of #1/ }).waitFor()
})

/** Types on and on while the search comes, and answers what was typed. To look between keys whether it came leaves it time to come. */
const typeUntilThere = async (page: Page): Promise<string> => {
  let isThere = false
  const shown = field(page)
    .waitFor()
    .then(() => {
      isThere = true
    })
  let text = ''
  while (!isThere) {
    const keys = 'abcd'
    text += keys
    // at once: a key is pressed before the page is done with the one before it
    await Promise.all([...keys].map((key) => page.keyboard.type(key)))
  }
  await shown
  return text
}

t.test('what is typed while the search comes to a slow machine is in its field', async (t) => {
  for (const time of ['first', 'second', 'third']) {
    const { page } = await place.sit('ada')
    const comes = await hold(page, '**/assets/SearchDialog-*.js')
    await page.reload()
    await page.getByRole('button', { name: 'account of ada' }).waitFor()
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    await page.keyboard.press('/')
    await page.keyboard.type('data')
    comes()
    const more = await typeUntilThere(page)
    t.equal(await field(page).inputValue(), `data${more}`, `the ${time} time`)
    await page.close()
  }
})

t.test('nothing is asked for one character, and what was found stays while more is typed', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/search')
  const texts = asked(page)
  await field(page).fill('d')
  await page.getByText('Two characters or more.').waitFor()
  await field(page).fill('da')
  await option(page, 'data/cache').waitFor()
  t.same(texts, ['da'])
  const answer = await hold(page, '**/v1/search?q=datab')
  await field(page).pressSequentially('tab')
  await page.waitForRequest('**/v1/search?q=datab')
  t.ok(await option(page, 'data/cache').isVisible(), 'the last results stay')
  answer()
  await option(page, 'data/cache').waitFor({ state: 'detached' })
  await option(page, 'data/database').waitFor()
  t.same(texts, ['da', 'datab'], 'and not each letter is asked for')
})

t.test('what is looked for is in the address: a reload keeps it, and Back comes back to it', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/search')
  await field(page).fill('#1')
  await option(page, /^#1 /).click()
  await page.getByRole('heading', { name: 'Pull request #1' }).waitFor()
  await page.goBack()
  await option(page, /^#1 /).waitFor()
  t.equal(await field(page).inputValue(), '#1')
  await page.reload()
  await option(page, /^#1 /).waitFor()
  t.match(page.url(), /\/search\?q=%231$/)
})

t.test('a search that does not work says so', async () => {
  const { page } = await place.sit('ada')
  await page.route('**/v1/search?**', refuse)
  await page.goto('/search?q=data')
  await page.getByRole('alert').getByText('not now').waitFor()
  await page.unroute('**/v1/search?**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await option(page, 'data/database').waitFor()
})
