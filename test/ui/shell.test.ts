import t from 'tap'
import { audit, screens, startPlace } from './browser.ts'
import { signIn } from './sign-in.ts'

const place = await startPlace(t)
const { base } = place

t.test('who is not signed in is asked to, and then sees what they opened', async (t) => {
  const seat = await place.sit()
  const { page } = seat
  await page.goto('/?x=1')
  await page.getByRole('heading', { name: 'Sign in to svc' }).waitFor()
  t.equal(page.url(), `${base}/sign-in?next=/`)
  seat.complaints()
  await page.getByRole('link', { name: 'Sign in at the code host' }).click()
  await page.getByLabel('Somebody else').fill('ada')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  t.equal(page.url(), `${base}/`)
  t.same(seat.complaints(), [])
})

for (const screen of screens) {
  t.test(`the pages without a resource at ${screen.name}`, async (t) => {
    const seat = await place.sit(undefined, screen)
    const { page } = seat
    await page.goto('/sign-in')
    await page.getByRole('heading', { name: 'Sign in to svc' }).waitFor()
    await audit(t, seat, `sign-in ${screen.name}`)
    await signIn(page, 'ada')
    await page.getByText('acme/infra').first().waitFor()
    await audit(t, seat, `overview ${screen.name}`)
    await page.goto('/nothing/here')
    await page.getByRole('heading', { name: 'Not there, or not yours to see' }).waitFor()
    await page.getByText('or ada may not read').waitFor()
    await audit(t, seat, `not found ${screen.name}`)
    await page.getByRole('button', { name: 'account of ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await audit(t, seat, `account ${screen.name}`)
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await audit(t, seat, `shortcuts ${screen.name}`)
  })
}
