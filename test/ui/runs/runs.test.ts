import type { Page } from 'playwright-core'
import t from 'tap'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { opened, query } from '#test/scenes/scene.ts'
import { audit, screens, startPlace } from '../browser.ts'
import { refuse } from '../intercept.ts'
import { failedApply } from '../run/an-apply.ts'

/* Every run, by what somebody asks for. */

const place = await startPlace(t, { files: withWorkflow })
const { id: applyId } = await failedApply(place)
const [apply] = await query(place, `select pr_number, requested_by from runs where id = '${applyId}'`)

/** As many older runs as the one that is copied: past what a page shows at first. */
const addOlder = (count: number) =>
  query(
    place,
    `insert into runs select (jsonb_populate_record(r, jsonb_build_object(
       'id', gen_random_uuid(), 'created_at', r.created_at - make_interval(hours => n)))).*
     from runs r, generate_series(1, ${count}) n where r.id = '${applyId}'`,
  )

const table = (page: Page) => page.getByRole('grid', { name: 'Runs' })
const rows = (page: Page) => table(page).locator('tbody [data-row]')

for (const screen of screens) {
  t.test(`the runs at ${screen.name}`, async (t) => {
    const seat = await place.sit('ada', screen)
    const { page } = seat
    await page.goto('/runs')
    await table(page)
      .getByRole('link', { name: `Apply of #${apply?.pr_number}` })
      .waitFor()
    t.equal(await page.title(), 'Runs · svc')
    await audit(t, seat, `runs ${screen.name}`)
    await page.goto('/runs?status=superseded&actor=nobody')
    await page.getByText('None of the runs is as these filters say.').waitFor()
    await audit(t, seat, `runs, no match ${screen.name}`)
  })
}

t.test(
  'filters are in the address: a reload keeps them, Back comes back to them, and the answer says them',
  async (t) => {
    const { page } = await place.sit('ada')
    await page.goto('/runs')
    await rows(page).nth(1).waitFor()
    t.equal(await rows(page).count(), 2)
    await page.getByRole('button', { name: 'failed' }).click()
    await page.getByText('Listed by status failed.').waitFor()
    await page.getByRole('button', { name: 'unconfirmed' }).click()
    await page.getByText('Listed by status failed or unconfirmed.').waitFor()
    await page.getByLabel('Kind').selectOption('applies')
    await page.getByLabel('Repository').fill('acme/infra')
    await page.getByLabel('Repository').press('Enter')
    await page.getByLabel('Pull request').fill(`#${apply?.pr_number}`)
    await page.getByLabel('Pull request').press('Enter')
    await page.getByLabel('Asked for by').fill(apply?.requested_by)
    await page.getByLabel('Asked for by').press('Enter')
    await page.getByText(`who ${apply?.requested_by}`).waitFor()
    t.equal(await rows(page).count(), 1)
    const address = page.url()
    for (const part of ['status=failed,unconfirmed', 'mode=apply', 'pr=1', 'actor=rob', 'repo=acme/infra'])
      t.match(address, part)
    await page.reload()
    await page.getByText(`who ${apply?.requested_by}`).waitFor()
    t.equal(await page.getByLabel('Repository').inputValue(), 'acme/infra')
    await rows(page).first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Apply of #1/ }).waitFor()
    await page.goBack()
    await page.getByText(`who ${apply?.requested_by}`).waitFor()
    t.equal(page.url(), address)
  },
)

t.test('who types on after Enter loses nothing, though the address comes later', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/runs')
  const field = page.getByLabel('Asked for by')
  await field.pressSequentially('ro')
  // in one turn of the page: keys of their own would leave it time
  await page.evaluate(() => {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    document.execCommand('insertText', false, 'b')
  })
  await page.getByRole('button', { name: /who ro\b/ }).waitFor()
  t.equal(await field.inputValue(), 'rob')
  await field.press('Enter')
  await page.getByText('who rob').waitFor()
  await page.goto('/runs?actor=nobody')
  await page.getByRole('button', { name: 'who nobody' }).click()
  await rows(page).first().waitFor()
  t.equal(await field.inputValue(), '', 'another address shows its own')
})

t.test('where nothing is as the filters say, they are taken away one by one', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/runs?status=superseded&actor=nobody')
  await page.getByRole('button', { name: 'who nobody' }).click()
  await page.getByText('None of the runs is as these filters say.').waitFor()
  await page.getByRole('button', { name: 'status superseded' }).click()
  await rows(page).first().waitFor()
  t.match(page.url(), /\/runs$/)
})

t.test('a repository that is not there, or not to be seen, is said beside its filter', async () => {
  const { page } = await place.sit('ada')
  await page.goto('/runs?repo=acme/nothing')
  await page.getByText('does not exist, or you may not read it').waitFor()
  await page.getByRole('button', { name: 'repository acme/nothing' }).click()
  await rows(page).first().waitFor()
})

t.test('an older service that does not go by a filter is found out', async () => {
  const { page } = await place.sit('ada')
  await page.route('**/v1/runs?**', async (route) => {
    const response = await route.fetch()
    const { filters: _, ...body } = await response.json()
    await route.fulfill({ response, json: body })
  })
  await page.goto('/runs?actor=ada')
  await page.getByRole('alert').getByText('did not go by who').waitFor()
  // the page asks again by itself: the answer on its way must not meet a service that has stopped
  await page.unrouteAll({ behavior: 'wait' })
})

t.test('what cannot be read is said, and trying again helps', async () => {
  const { page } = await place.sit('ada')
  await page.route('**/v1/runs?**', refuse)
  await page.goto('/runs')
  await page.getByRole('alert').getByText('not now').waitFor()
  await page.unroute('**/v1/runs?**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await rows(page).first().waitFor()
})

t.test('a run that begins meanwhile moves nothing: it waits behind a button', async (t) => {
  const { page } = await place.sit('ada')
  await page.clock.install()
  await page.goto('/runs')
  await rows(page).first().waitFor()
  const first = await rows(page).first().getByRole('link').getAttribute('href')
  const { id } = await opened(place)
  await page.clock.runFor(11_000)
  await page.getByRole('button', { name: 'Show 1 new' }).waitFor()
  t.equal(await rows(page).first().getByRole('link').getAttribute('href'), first)
  await page.getByRole('button', { name: 'Show 1 new' }).click()
  await page.locator(`[data-row="0"] a[href$="${id}"]`).waitFor()
  t.equal(await page.evaluate(() => document.activeElement?.tagName), 'SECTION', 'the focus stays in the list')
  t.equal(await page.getByRole('button', { name: /^Show \d+ new/ }).count(), 0)
})

t.test('the title of a pull request stands apart: what it could turn round is itself alone', async (t) => {
  const { page } = await place.sit('ada')
  for (const address of ['/runs', '/', '/repos/acme/infra/pulls/1']) {
    await page.goto(address)
    await page.locator('bdi', { hasText: 'A change' }).first().waitFor()
  }
  const key = page.locator('.key').first()
  t.equal(await key.evaluate((shown) => getComputedStyle(shown).unicodeBidi), 'isolate', 'and so do keys')
})

t.test('a page that could not be read has its own title again once it is', async (t) => {
  const { page } = await place.sit('ada')
  await page.route('**/v1/overview', refuse)
  await page.goto('/')
  await page.getByRole('heading', { name: 'There is nothing to show' }).waitFor()
  t.equal(await page.title(), 'A problem · svc')
  await page.unroute('**/v1/overview')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('acme/infra').first().waitFor()
  t.equal(await page.title(), 'Overview · svc')
})

t.test('by keyboard: rows are one stop, j and k go through them', async () => {
  const { page } = await place.sit('ada')
  await page.goto('/runs')
  await rows(page).nth(1).waitFor()
  await rows(page).first().focus()
  await page.keyboard.press('j')
  await page.locator('[data-row="1"]:focus').waitFor()
  await page.keyboard.press('k')
  await page.locator('[data-row="0"]:focus').waitFor()
})

t.test('older runs come when they are asked for', async (t) => {
  await addOlder(70)
  const { page } = await place.sit('ada')
  await page.goto('/runs?status=failed')
  await page.getByText('50 are shown.').waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.locator('[data-row="70"]').waitFor()
  t.equal(await rows(page).count(), 71)
  t.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
})
