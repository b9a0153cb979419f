import t from 'tap'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { audit, screens, startPlace } from '../browser.ts'
import { refuse } from '../intercept.ts'
import { beginApply, failedApply } from './an-apply.ts'

const place = await startPlace(t, { files: withWorkflow })
const { id, planId } = await failedApply(place)
const seat = await place.sit('ada')
const { page } = seat

const causes = () => page.getByRole('region', { name: 'What happened, by cause' })

t.test('what happened, in order, and who caused it: one click from the run', async (t) => {
  await page.goto(`/runs/${id}`)
  await page.getByRole('link', { name: 'Timeline' }).click()
  await causes().getByRole('listitem').first().waitFor()
  const lines = await causes().locator('.cause-words').allInnerTexts()
  t.equal(
    lines[0],
    'rob asked for the apply in a comment: 4 locks taken, the run applies, 1 stack of wave 1 started, dispatch 1.1 sent',
  )
  t.match(lines.join('\n'), /data\/database failed: the run drains, 1 stack blocked/)
  t.same(await causes().locator('.cause-who').first().innerText(), 'rob')
})

t.test('a cause opens to its entries, and stays open after a reload', async (t) => {
  await page.goto(`/runs/${id}/timeline`)
  const line = causes().getByRole('listitem').filter({ hasText: 'data/database failed' })
  await line.getByRole('button', { name: '5 entries' }).click()
  await page.waitForURL(/cause=/)
  await page.reload()
  const entries = causes().locator('.cause-entries')
  await entries.getByText('applying.running → applying.draining').waitFor()
  t.match(await entries.innerText(), /result\.reported data\/database/)
  await page.getByRole('button', { name: 'Newest first' }).click()
  await page.waitForURL(/order=newest/)
  t.match(await causes().locator('.cause-words').first().innerText(), /^Dispatch 2\.1 ended with failure/)
})

t.test('each stack has a bar; the table has the same in numbers', async (t) => {
  await page.goto(`/runs/${id}/timeline`)
  const chart = page.getByRole('region', { name: 'Stacks over time' })
  await chart.getByRole('link', { name: 'data/database' }).waitFor()
  t.equal(await chart.locator('.lane-bar').count(), 3)
  await chart.getByText('blocked by data/database').first().waitFor()
  await page.getByRole('button', { name: 'As a table' }).click()
  const table = page.getByRole('grid', { name: 'Stacks over time' })
  await table.waitFor()
  t.equal(await table.getByRole('row').count(), 5)
  await table.getByRole('link', { name: 'data/database' }).click()
  await page.waitForURL(`${place.base}/runs/${id}/stacks/data%2Fdatabase`)
})

t.test('the plan destroys what Changes lists first: one click from the run', async (t) => {
  await page.goto(`/runs/${id}`)
  await page.getByRole('link', { name: 'Changes' }).click()
  const changes = page.getByRole('region', { name: 'Changes' })
  await changes.getByRole('listitem').first().waitFor()
  const lines = await changes.getByRole('listitem').allInnerTexts()
  t.match(lines[0], /2 are destroyed/)
  t.match(lines[1], /data\/database/)
  t.match(lines.slice(2, 4).join(), /aws_security_group_rule\.legacy.*aws_db_instance\.old/s)
})

t.test('a resource is found by its address, after a reload too, and leads to its plan', async (t) => {
  await page.goto(`/runs/${id}/changes`)
  const field = page.getByRole('textbox', { name: 'Find by address' })
  await field.fill('LEGACY')
  await page.getByText('1 match', { exact: true }).waitFor()
  await page.waitForURL(/find=LEGACY/)
  await page.reload()
  await page.getByText('1 match', { exact: true }).waitFor()
  t.equal(
    await page.getByRole('region', { name: 'Changes' }).getByRole('listitem').count(),
    3,
    'the action, the stack, and the resource',
  )
  await field.fill('nowhere')
  await page.getByText('No address that is listed has “nowhere” in it.').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('link', { name: 'aws_subnet.a' }).click()
  await page.waitForURL(/stacks\/platform%2Fnetwork\?find=aws_subnet.a/)
})

t.test('who types in the middle of the field stays there, though the address comes later', async (t) => {
  await page.goto(`/runs/${id}/changes`)
  const field = page.getByRole('textbox', { name: 'Find by address' })
  await field.pressSequentially('lcy')
  await page.waitForURL(/find=lcy$/)
  await field.press('Home')
  await field.press('ArrowRight')
  await field.pressSequentially('ega')
  await page.waitForURL(/find=legacy$/)
  t.equal(await field.inputValue(), 'legacy')
})

t.test('where the plan of an apply cannot be read, nobody is told that nothing is changed', async (t) => {
  const { id: apply, planId: plan } = await beginApply(place, 'unread/')
  const ofPlan = new RegExp(`/v1/runs/${plan}(\\?|$)`)
  await page.route(ofPlan, refuse)
  await page.goto(`/runs/${apply}/changes`)
  const problem = page.getByRole('alert').filter({ hasText: 'What its plan says could not be read' })
  await problem.getByText('not now').waitFor()
  t.equal(await page.getByText(/Nothing is changed|0 resources/).count(), 0)
  await page.unroute(ofPlan)
  // by itself
  await problem.waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Changes' }).waitFor()
  seat.complaints()
})

t.test('where dispatches cannot be read, nothing is said of deadlines', async (t) => {
  const { id: apply } = await beginApply(place, 'unsent/')
  await page.route(/\/dispatches\?/, refuse)
  await page.goto(`/runs/${apply}/timeline`)
  await page.getByRole('alert').getByText('The dispatches could not be read').waitFor()
  await causes().getByText('1 stack of wave 1 started').waitFor()
  t.equal(await page.getByText('No deadline runs').count(), 0)
  await page.unroute(/\/dispatches\?/)
  seat.complaints()
})

t.test('the timeline goes on as the run does, and says that no deadline runs', async (t) => {
  const other = await beginApply(place, 'other/')
  await page.goto(`/runs/${other.id}/timeline`)
  await causes().getByText('1 stack of wave 1 started').waitFor()
  const first = await other.job('0')
  await page.getByText('No deadline runs: dispatch 1.1 is picked up').waitFor()
  t.equal(await page.locator('.chart-deadline').count(), 0)
  await first.report('other/platform/network')
  await causes().getByText('other/platform/network is applied').waitFor()
  await page.getByText('4 locks that it holds').waitFor()
  t.same(seat.complaints(), [])
})

for (const screen of screens) {
  t.test(`at ${screen.name}`, async (t) => {
    const seat = await place.sit('ada', screen)
    const { page } = seat
    await page.goto(`/runs/${id}/timeline`)
    const line = page.getByRole('listitem').filter({ hasText: 'data/database failed' })
    await line.getByRole('button', { name: '5 entries' }).click()
    await page.getByText('applying.running → applying.draining').waitFor()
    await audit(t, seat, `timeline ${screen.name}`)
    await page.goto(`/runs/${id}/timeline?as=table`)
    await page.getByRole('grid', { name: 'Stacks over time' }).waitFor()
    await audit(t, seat, `timeline table ${screen.name}`)
    await page.goto(`/runs/${id}/changes`)
    await page.getByRole('link', { name: 'aws_subnet.a' }).waitFor()
    await audit(t, seat, `changes ${screen.name}`)
    await page.goto(`/runs/${planId}/timeline`)
    await page.getByText('The first job of the pull request').waitFor()
    await audit(t, seat, `timeline of a plan ${screen.name}`)
  })
}
