import t from 'tap'
import { newestRun } from '#test/scenes/commenting.ts'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { audit, screens, startPlace } from '../browser.ts'
import { applyStorefront, planAnother, policy } from '../run/storefront.ts'

/* The gate of a plan and of an apply, the page of a pull request, and the machines behind a run. */

const place = await startPlace(t, { files: { ...withWorkflow, 'svc.yml': policy } })
const { applyId, pull } = await applyStorefront(place)
const planId = await newestRun(place, await planAnother(place, 'data/database'), 'plan')

for (const screen of screens) {
  t.test(`the pages at ${screen.name}`, async (t) => {
    const seat = await place.sit('ada', screen)
    const { page } = seat
    await page.goto(`/runs/${applyId}/gate`)
    await page.getByRole('heading', { name: /^Let through an apply of/ }).waitFor()
    await audit(t, seat, `gate of an apply ${screen.name}`)
    await page.goto(`/runs/${planId}/gate`)
    await page.getByRole('heading', { name: /^Would be refused/ }).waitFor()
    await audit(t, seat, `gate of a plan ${screen.name}`)
    await page.goto(`/repos/acme/infra/pulls/${pull.number}`)
    await page.getByRole('heading', { name: `Pull request #${pull.number}: A change` }).waitFor()
    await page.getByText('data/database').first().waitFor()
    await page.getByRole('heading', { name: 'Locks', level: 2 }).waitFor()
    await page.getByRole('heading', { name: /^Would / }).waitFor()
    await audit(t, seat, `pull request ${screen.name}`)
    const found = await page.locator('.gate-found').first().boundingBox()
    t.ok((found?.width ?? 0) > 200, `what was found has room for words: ${found?.width} px`)
    await page.goto(`/runs/${applyId}/machine`)
    await page.getByText('applying.draining').first().waitFor()
    await audit(t, seat, `machine of a run ${screen.name}`)
  })
}

t.test('a machine is shown as it was after any entry of its journal, by its address', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto(`/machines/run/${applyId}`)
  await page.getByRole('heading', { name: 'As it is now' }).waitFor()
  await page.locator('.journal button').last().click()
  await page.getByRole('heading', { name: 'As it was after entry 0' }).waitFor()
  t.match(page.url(), /\?seq=0$/)
  await page.reload()
  await page.getByRole('heading', { name: 'As it was after entry 0' }).waitFor()
  await page.locator('.journal button').first().waitFor()
  await page.keyboard.press(']')
  await page.getByRole('heading', { name: 'As it was after entry 1' }).waitFor()
  await page.keyboard.press('[')
  await page.getByRole('heading', { name: 'As it was after entry 0' }).waitFor()
})

t.test('the chart shows where the machine is, and the scrubber goes back through it', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto(`/runs/${applyId}/machine`)
  await page
    .getByRole('img', { name: /^It is applying\.draining\. It was pending\. Next it may be running,/ })
    .waitFor()
  await page.getByRole('slider', { name: 'Entry of the journal' }).focus()
  await page.keyboard.press('Home')
  await page.getByRole('img', { name: /^It is pending\./ }).waitFor()
  t.match(page.url(), /seq=0$/)
  await page.keyboard.press('ArrowRight')
  await page.getByRole('heading', { name: 'As it was after entry 1' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('heading', { name: 'As it was after entry 2' }).waitFor()
  await page.getByRole('button', { name: 'Now', exact: true }).click()
  await page.getByRole('img', { name: /^It is applying\.draining/ }).waitFor()
})

t.test('the machine of any stack or lock of a run is found by its key', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto(`/runs/${applyId}/machine`)
  await page.getByRole('button', { name: 'All stacks and locks…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('24 machines').waitFor()
  await dialog.getByLabel('Find by key').fill('cache')
  await dialog.getByRole('link', { name: 'Lock of data/cache' }).click()
  await page.getByRole('img', { name: /^It is held\.changed/ }).waitFor()
  const chip = page.getByRole('link', { name: 'Lock of data/cache' })
  t.ok(await chip.getAttribute('aria-current'))
  t.equal(await page.getByRole('link', { name: 'The run' }).getAttribute('aria-current'), null)
})

t.test('a kind of machine that there is not is said', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto(`/machines/nothing/${applyId}`)
  await page.getByText("There is no machine of the kind 'nothing'").waitFor()
  t.equal(await page.getByRole('heading', { name: 'Machine', exact: true }).count(), 1)
})
