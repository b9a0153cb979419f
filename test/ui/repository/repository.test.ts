import type { Page } from 'playwright-core'
import t from 'tap'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { query } from '#test/scenes/scene.ts'
import { audit, screens, startPlace } from '../browser.ts'
import { applyStorefront, policy } from '../run/storefront.ts'

/* The repositories, and of one its stacks, runs and locks. */

const place = await startPlace(t, { files: { ...withWorkflow, 'svc.yml': policy } })
const { pull } = await applyStorefront(place)
// before the first merge the default branch has no stacks
await pull.merge()
await place.settled()

const path = '/repos/acme/infra'
const table = (page: Page, name: string) => page.getByRole('grid', { name })
const rows = (page: Page, name: string) => table(page, name).locator('tbody [data-row]')

for (const screen of screens) {
  t.test(`the pages at ${screen.name}`, async (t) => {
    const seat = await place.sit('ada', screen)
    const { page } = seat
    await page.goto('/repos')
    await rows(page, 'Repositories').first().waitFor()
    t.equal(await page.title(), 'Repositories · svc')
    await audit(t, seat, `repositories ${screen.name}`)
    await page.goto(path)
    await rows(page, 'Stacks').first().waitFor()
    t.equal(await page.title(), 'acme/infra · svc')
    await audit(t, seat, `repository, stacks ${screen.name}`)
    await page.goto(`${path}?q=nothing-like-it`)
    await page.getByText('No stack is as these filters say.').waitFor()
    await audit(t, seat, `repository, no stack ${screen.name}`)
    await page.goto('/stacks')
    await rows(page, 'Stacks').first().waitFor()
    t.equal(await page.title(), 'Stacks · svc')
    await audit(t, seat, `stacks ${screen.name}`)
    await page.goto('/stacks?status=skipped&behind=true&environment=none')
    await page.getByText('None of the stacks is as these filters say.').waitFor()
    await audit(t, seat, `stacks, no match ${screen.name}`)
    await page.goto(`${path}/runs`)
    await rows(page, 'Runs').first().waitFor()
    await audit(t, seat, `repository, runs ${screen.name}`)
    await page.goto(`${path}/locks`)
    await page.getByRole('grid').first().waitFor()
    await audit(t, seat, `repository, locks ${screen.name}`)
  })
}

t.test('a repository that is not there, or not to be seen, is not told apart', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto('/repos/acme/nothing')
  await page.getByRole('heading', { name: 'Not there, or not yours to see' }).waitFor()
  await page.getByText('the repository acme/nothing').waitFor()
  t.equal(await page.getByRole('link', { name: 'Graph' }).count(), 0)
})

t.test('from the list to a stack that failed, by keyboard; Back comes to the same list', async (t) => {
  const { page } = await place.sit('ada')
  await page.getByText('acme/infra').first().waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await rows(page, 'Repositories').first().focus()
  await page.keyboard.press('Enter')
  await rows(page, 'Stacks').first().waitFor()
  await page.getByRole('button', { name: /^failed/ }).click()
  await page.waitForURL(/status=failed/)
  t.equal(await rows(page, 'Stacks').count(), 1)
  await rows(page, 'Stacks').first().focus()
  await page.keyboard.press('Enter')
  await page.getByText('StorageQuotaExceeded').waitFor()
  await page.goBack()
  await rows(page, 'Stacks').first().waitFor()
  t.equal(await rows(page, 'Stacks').count(), 1)
  await page.keyboard.press('2')
  await page.waitForURL(`**${path}/runs`)
  await page.keyboard.press('3')
  await page.waitForURL(`**${path}/graph`)
  await page.keyboard.press('4')
  await page.waitForURL(`**${path}/locks`)
  await page.keyboard.press('1')
  await rows(page, 'Stacks').nth(1).waitFor()
})

t.test('stacks are found by words and sorted, in the address', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto(path)
  await page.getByLabel('Find a stack').pressSequentially('plat net')
  await page.waitForURL(/q=plat\+net$/)
  await rows(page, 'Stacks').nth(1).waitFor({ state: 'detached' })
  t.match(await rows(page, 'Stacks').first().textContent(), 'platform/network')
  await page.reload()
  t.equal(await page.getByLabel('Find a stack').inputValue(), 'plat net')
  await rows(page, 'Stacks').first().waitFor()
  t.equal(await rows(page, 'Stacks').count(), 1)
  await page.getByLabel('Find a stack').fill('')
  await rows(page, 'Stacks').nth(1).waitFor()
  await page.getByRole('button', { name: 'Status' }).click()
  await page.waitForURL(/sort=status$/)
  t.match(await rows(page, 'Stacks').first().textContent(), 'data/database')
  await page.getByRole('button', { name: 'Status' }).click()
  await page.waitForURL(/sort=-status$/)
  t.match(await rows(page, 'Stacks').last().textContent(), 'data/database')
})

t.test('the runs of the repository are filtered there', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto(`${path}/runs`)
  await rows(page, 'Runs').nth(1).waitFor()
  await page.getByLabel('Kind').selectOption('applies')
  await page.getByText('Listed by kind apply.').waitFor()
  t.equal(await rows(page, 'Runs').count(), 1)
  await page.reload()
  await page.getByText('Listed by kind apply.').waitFor()
  t.equal(await page.getByLabel('Repository', { exact: true }).count(), 0, 'which repository is said by the page')
})

t.test('5,200 stacks: only those in view are drawn, any of 5,000 is found, and others where all are', async (t) => {
  const [one] = await query(place, `select repo_id from stacks limit 1`)
  await query(
    place,
    `with many as (
       insert into stacks select (jsonb_populate_record(s, jsonb_build_object(
         'id', gen_random_uuid(), 'key', 'many/' || lpad(n::text, 5, '0'), 'path', 'many/' || lpad(n::text, 5, '0')))).*
       from stacks s, generate_series(1, 5200) n where s.key = 'platform/dns' returning 1)
     update repositories set stack_count = stack_count + (select count(*) from many) where id = ${one?.repo_id} returning id`,
  )
  const { page } = await place.sit('ada')
  await page.goto(path)
  await rows(page, 'Stacks').first().waitFor()
  const drawn = await rows(page, 'Stacks').count()
  t.ok(drawn < 100, `${drawn} rows are drawn`)
  await page.getByText(/^These are the first 5000 of 52\d\d stacks by key/).waitFor()
  await page.getByLabel('Find a stack').fill('many/03999')
  await rows(page, 'Stacks').nth(1).waitFor({ state: 'detached' })
  t.match(await rows(page, 'Stacks').first().textContent(), 'many/03999')
  await page.getByRole('link', { name: 'Find others' }).click()
  await page.waitForURL(/\/stacks\?repo=acme\/infra$/)
  await page.getByLabel('Stack', { exact: true }).fill('many/05199')
  await page.getByLabel('Stack', { exact: true }).press('Enter')
  await rows(page, 'Stacks').nth(1).waitFor({ state: 'detached' })
  t.match(await rows(page, 'Stacks').first().textContent(), 'many/05199')
})
