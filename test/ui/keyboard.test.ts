import t from 'tap'
import { startPlace } from './browser.ts'

const place = await startPlace(t)

t.test('the theme that is chosen is there before anything is painted, and after a reload', async (t) => {
  const { page } = await place.sit('ada')
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  t.equal(await paper(), 'rgb(255, 255, 255)', 'that of the system')
  await page.getByRole('button', { name: 'account of ada' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  t.equal(await paper(), 'rgb(15, 19, 25)')
  await page.reload({ waitUntil: 'commit' })
  await page.locator('#root').waitFor({ state: 'attached' })
  t.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark')
  t.equal(await paper(), 'rgb(15, 19, 25)')
  await page.getByRole('button', { name: 'account of ada' }).click()
  await page.getByRole('menuitemradio', { name: 'As the system' }).click()
  t.equal(await paper(), 'rgb(255, 255, 255)')
})

t.test('everything of the shell is done without a pointer', async (t) => {
  const { page } = await place.sit('ada')
  await page.getByText('acme/infra').first().waitFor()
  await page.keyboard.press('Tab')
  t.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content')
  await page.keyboard.press('Enter')
  t.equal(await page.evaluate(() => document.activeElement?.id), 'content')

  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await list.getByText('Overview').waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  t.equal(await page.evaluate(() => document.activeElement?.id), 'content', 'the focus is where it was')

  await page.goto('/nothing')
  await page.getByRole('heading', { name: 'Not there' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  const account = page.getByRole('button', { name: 'account of ada' })
  await account.focus()
  await page.keyboard.press('Enter')
  // a menu is seen a moment before the browser tells that it is open, and the focus goes there then
  await page.locator('[role=menuitemradio]:focus', { hasText: 'As the system' }).waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  t.match(await focused(), 'As the system')
  await page.keyboard.press('ArrowUp')
  t.equal(await focused(), 'Sign out', 'round to the last')
  await page.keyboard.press('ArrowDown')
  t.match(await focused(), 'As the system')
  await page.keyboard.press('Escape')
  t.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-haspopup')), 'menu')
})

t.test('shortcuts can be turned off, and back on', async (t) => {
  const { page } = await place.sit('ada')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.keyboard.press('?')
  await page.getByLabel('Shortcuts are on in this browser').uncheck()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('button', { name: 'account of ada' }).click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).waitFor()
  t.equal(await list.count(), 0)
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await page.getByLabel('Shortcuts are on in this browser').check()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await list.waitFor()
})

t.test('a key right behind the one that closes a dialog is not lost', async (t) => {
  const { page } = await place.sit('ada')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.keyboard.press('?')
  await list.waitFor()
  await page.evaluate(async () => {
    document.querySelector<HTMLElement>('dialog [aria-label=Close]')?.click()
    // no task of the browser's comes in between
    await Promise.resolve()
    dispatchEvent(new KeyboardEvent('keydown', { key: '?' }))
  })
  await page.evaluate(() => new Promise(requestAnimationFrame))
  t.ok(await list.isVisible())
})

t.test('on a phone the pages are in a menu', async (t) => {
  const { page } = await place.sit('ada', { name: '', viewport: { width: 375, height: 667 }, colorScheme: 'light' })
  await page.getByRole('button', { name: 'Pages' }).click()
  await page.getByRole('menuitem', { name: 'Overview' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  t.equal(await page.getByRole('menuitem').count(), 0, 'and it is closed again')
})
