import t from 'tap'
import { driftRun } from '#test/scenes/drifting.ts'
import { planning, query } from '#test/scenes/scene.ts'
import { audit, screens, startPlace } from '../../browser.ts'
import { card } from '../storefront.ts'

const place = await startPlace(t)
const keys = Array.from({ length: 300 }, (_, at) => `team-${at % 7}/service-${String(at).padStart(3, '0')}`)
const { id, job } = await planning(place, keys)

t.test('of a wave of 300 stacks what is in view is drawn, and what the focus is on does not move', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto(`/runs/${id}`)
  await page.getByRole('heading', { name: 'Wave 1 300 stacks' }).waitFor()
  await page.getByRole('button', { name: 'planning 300' }).waitFor()
  t.ok((await page.locator('[data-stack]').count()) < 80)
  const order = keys.toSorted()
  const [first = '', second = '', third = ''] = order
  await card(page, third).focus()
  const topOf = async () => (await card(page, third).boundingBox())?.y
  const before = await topOf()
  await job.report(id, first)
  await job.report(id, second, { exit_code: 0 })
  await card(page, first).getByText('planned').waitFor()
  await page.getByRole('button', { name: 'Show the new order' }).waitFor()
  t.equal(await topOf(), before, 'the settled ones before it are still cards')
  await page.getByRole('button', { name: 'Show the new order' }).click()
  await page.locator(`.card[data-stack="${first}"]`).waitFor({ state: 'detached' })
  t.not(await topOf(), before)
  t.equal(await page.getByRole('button', { name: 'Show the new order' }).count(), 0)
})

t.test('settled stacks are a strip, which says on focus what each is; the failed ones stay cards', async (t) => {
  // as if their jobs had reported, which takes this machine a minute
  await query(place, `update run_stacks set status = 'planned', finished_at = now() where run_id = '${id}'`)
  await query(place, `update run_stacks set status = 'failed' where run_id = '${id}' and key like '%5'`)
  const seat = await place.sit('ada')
  const { page } = seat
  await page.goto(`/runs/${id}`)
  const strip = page.locator('.cell')
  await page.locator('.card').first().waitFor()
  await page.getByRole('button', { name: 'failed 30' }).waitFor()
  t.equal(await page.locator('.card:not([data-broken])').count(), 0)
  await page.mouse.wheel(0, 900)
  await strip.first().focus()
  const note = page.locator('.cell-note')
  await note.getByText('planned').waitFor()
  t.equal(await strip.first().getAttribute('aria-label'), 'team-0/service-000, planned')
  await page.keyboard.press('ArrowRight')
  await note.getByText('team-0/service-007').waitFor()
  await audit(t, seat, 'strip 1280')
  await page.getByRole('searchbox').fill('team-3 service-01')
  await card(page, 'team-3/service-010').waitFor()
  t.equal(await page.locator('.card').count(), 2, 'what is asked for is cards')
  await audit(t, seat, 'found 1280')
})

t.test('a check for drift of one stack', async (t) => {
  const drift = await driftRun(place, keys[0] ?? '', 'changes')
  for (const screen of screens) {
    const seat = await place.sit('ada', screen)
    await seat.page.goto(`/runs/${drift}`)
    await seat.page.getByRole('heading', { name: 'Drift check' }).waitFor()
    await card(seat.page, keys[0] ?? '')
      .getByText('drifted')
      .waitFor()
    await card(seat.page, keys[0] ?? '').click()
    await seat.page.getByText('The next check comes by its schedule.').waitFor()
    // the scene's check has no graph
    await audit(t, seat, `drift ${screen.name}`, /404/)
    await seat.page.goto(`/runs/${id}`)
    await seat.page.locator('.card').first().waitFor()
    await audit(t, seat, `large ${screen.name}`)
  }
})
