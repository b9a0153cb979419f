import t from 'tap'
import { planning, query } from '#test/scenes/scene.ts'
import { audit, screens, startPlace } from '../browser.ts'
import { card } from '../run/storefront.ts'
import { longPlan, planSummary, planText } from './a-plan.ts'

const place = await startPlace(t)
const keys = ['.', 'data/database', 'data/long', 'data/broken', 'data/quiet', 'data/slow']
const scene = await planning(place, keys)
const { id, job } = scene
const jobUrl = 'https://github.example.com/acme/infra/actions/runs/1/job/3000000612'
await job.post(`${scene.stackPath('data/database')}/checks/cost`, { status: 'fail', summary: '412 USD more a month' })
await job.report(id, 'data/database', { plan_text: planText, summary: planSummary, job_url: jobUrl })
await job.report(id, 'data/long', { plan_text: longPlan(256 * 1024), truncated: true, job_url: jobUrl })
await job.report(id, 'data/broken', {
  ...{ status: 'failure', exit_code: 1, has_changes: false, summary: undefined },
  plan_text: 'Error: Reference to undeclared resource\n\n  on main.tf line 12, in resource "aws_instance" "web":\n',
  error_text: 'the hook before the plan ended with status 3:\nno credentials for account 112233445566',
})
await job.report(id, 'data/quiet', { plan_text: 'Some text.\n' })

const at = (key: string, rest = '') => `/runs/${id}/stacks/${encodeURIComponent(key)}${rest}`
const seat = await place.sit('ada')
const { page } = seat

const open = async (key: string, rest = '') => {
  await page.goto(at(key, rest))
  await page.getByRole('heading', { level: 1, name: key }).waitFor()
  await page.getByRole('region', { name: 'Plan text' }).waitFor()
}
const head = (name: string) => page.locator('.plan-head').filter({ hasText: name }).getByRole('button')
const line = (number: number) => page.getByRole('link', { name: `Line ${number}`, exact: true })
const folded = async (name: string) => (await head(name).getAttribute('aria-expanded')) === 'false'

t.test('a plan is read two clicks from its run, and begins with what it destroys', async (t) => {
  await page.goto(`/runs/${id}`)
  await card(page, 'data/database').click()
  await page.getByRole('link', { name: 'Read the plan' }).click()
  await page.getByRole('heading', { name: '1 is destroyed' }).waitFor()
  await page.getByText('- resource "aws_security_group_rule" "legacy" {').waitFor()
  t.equal(new URL(page.url()).pathname, at('data/database'))
})

t.test('the page of a root stack, whose key is a dot, is there after a reload too', async (t) => {
  await page.goto(`/runs/${id}?stack=.`)
  await page.getByRole('link', { name: 'open page' }).click()
  const title = page.getByRole('heading', { level: 1, name: /^\.( |$)/ })
  await title.waitFor()
  await page.reload()
  await title.waitFor()
  t.match(page.url(), /\/stacks\/\.%2F$/)
})

t.test('what destroys and replaces is open, the rest is folded', async (t) => {
  await open('data/database')
  t.notOk(await folded('aws_security_group_rule.legacy'))
  t.notOk(await folded('aws_db_parameter_group.main'))
  t.ok(await folded('aws_db_instance.main'))
  t.ok(await folded('aws_cloudwatch_metric_alarm.replica_lag'))
  t.match(await head('aws_db_parameter_group.main').innerText(), /replaced.*name forces it, line 30/s)
  const list = page.getByRole('navigation', { name: 'Resources of the plan' })
  t.same(await list.getByRole('heading', { level: 3 }).allInnerTexts(), [
    ...['1 is destroyed', '1 is replaced', '1 is changed in place', '1 is created'],
  ])
  await page.getByText('Its own line says: Plan: 2 to add, 1 to change, 2 to destroy.').waitFor()
})

t.test('what is opened and folded is in the address, and there after a reload', async (t) => {
  await open('data/database')
  await head('aws_db_instance.main').click()
  await head('aws_db_parameter_group.main').click()
  await line(21).waitFor()
  await page.waitForURL(/fold=/)
  await page.reload()
  await line(21).waitFor()
  t.notOk(await folded('aws_db_instance.main'))
  t.ok(await folded('aws_db_parameter_group.main'))
})

t.test('a line, and lines up to another, are a link that opens what they are in', async (t) => {
  await open('data/database')
  await head('aws_db_instance.main').click()
  await line(21).click()
  await page.waitForURL(/#L21$/)
  await line(22).click({ modifiers: ['Shift'] })
  await page.waitForURL(/#L21-L22$/)
  t.equal(await page.locator('.plan-line[data-chosen]').count(), 2)
  await page.goto('/')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.goto(at('data/database', '#L21-L22'))
  await line(21).waitFor()
  t.equal(await page.locator('.plan-line[data-chosen]').count(), 2)
})

t.test('finding counts, goes from match to match, and opens what is folded', async (t) => {
  await open('data/database')
  const field = page.getByRole('textbox', { name: 'Find in the text' })
  await field.fill('storefront')
  await page.getByText('8 matches').waitFor()
  await page.waitForURL(/find=storefront/)
  await page.reload()
  await page.getByText('8 matches').waitFor()
  t.ok(await head('aws_cloudwatch_metric_alarm.replica_lag').getByText('1 match').isVisible())
  await field.press('Enter')
  await page.getByText('1 of 8', { exact: true }).waitFor()
  await line(13).waitFor()
  await page.getByRole('button', { name: 'Match after' }).click()
  await page.getByText('2 of 8', { exact: true }).waitFor()
  await field.press('Shift+Enter')
  await page.getByText('1 of 8', { exact: true }).waitFor()
  t.equal(await page.locator('.plan-match').innerText(), 'storefront')
  await field.press('Escape')
  await page.waitForURL((url) => !url.search.includes('find'))
})

t.test('by keyboard: resources one after the other, opened with Enter, lines with arrows', async (t) => {
  await open('data/database')
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  const next = async (key: string, name: string) => {
    await page.keyboard.press(key)
    await page.locator('.plan-head button:focus').filter({ hasText: name }).waitFor()
  }
  await next('n', 'aws_cloudwatch_metric_alarm.replica_lag')
  await next('n', 'aws_db_instance.main')
  await page.keyboard.press('Enter')
  await line(19).waitFor()
  await page.keyboard.press('Tab')
  t.equal(await focused(), '19')
  await page.keyboard.press('ArrowDown')
  t.equal(await focused(), '20')
  await page.keyboard.press('Enter')
  await page.waitForURL(/#L20$/)
  await next('n', 'aws_db_parameter_group.main')
  await next('p', 'aws_db_instance.main')
})

t.test('the link to what is shown is copied by its key, the text by its button', async (t) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await open('data/database', '#L28')
  await line(28).waitFor()
  await page.keyboard.press('y')
  await page.locator('.note').getByText('Copied the link to this view.').waitFor()
  await page.getByRole('status').getByText('Copied the link to this view.').waitFor({ state: 'attached' })
  t.equal(await copied(), `${place.base}${at('data/database')}#L28`)
  await page.getByRole('button', { name: 'Copy as text' }).click()
  await page.getByRole('button', { name: 'copied' }).waitFor()
  t.equal(await copied(), planText)
})

t.test('what else is known of the stack is beside its text', async (t) => {
  await open('data/database')
  const beside = page.getByRole('complementary', { name: 'About this stack' })
  const words = await beside.innerText()
  t.match(words, /Why it is in this run/)
  t.match(words, /failed\s+cost: 412 USD more a month/)
  t.match(words, /Nobody holds a lock on it\./)
  t.match(words, /Of its resources: 1 destroyed, 1 replaced, 1 changed in place, 1 created\./)
  t.equal(await beside.getByRole('link', { name: 'Job 3000000612' }).getAttribute('href'), jobUrl)
  await page.getByRole('link', { name: 'On the board' }).click()
  await page.waitForURL(`${place.base}/runs/${id}?stack=data/database`)
})

t.test('of a long text only what is in view is drawn', async (t) => {
  await open('data/long', '#L5000')
  await page.locator('.plan-line[data-chosen]').waitFor()
  await page.getByRole('button', { name: 'Open all' }).click()
  await page.waitForURL(/fold=all/)
  await page.reload()
  await line(5000).waitFor()
  t.ok((await page.locator('.plan-line').count()) < 400)
  await page.getByText('the client reports 256 KB of a text and no more').waitFor()
  t.equal(await page.getByRole('link', { name: 'The log of its job has all of it.' }).getAttribute('href'), jobUrl)
})

t.test('a failed plan says what went wrong before its text', async (t) => {
  await open('data/broken')
  await page.locator('.reader-wrong').getByText('no credentials for account').waitFor()
  await page.getByText('Error: Reference to undeclared resource').waitFor()
  t.equal(await page.locator('.plan-head').count(), 0, 'a text without resources has nothing to fold')
})

t.test('a text that was removed says since when; one that is not there yet says why', async (t) => {
  await query(
    place,
    `update results set plan_text = null, plan_removed_at = now() - interval '2 days'
     where run_id = '${id}' and stack_id = (select id from stacks where key = 'data/quiet')`,
  )
  await open('data/quiet')
  await page.getByText(/It was removed .*: it was older than this service keeps texts/).waitFor()
  await open('data/slow')
  await page.getByText('It is planning now: the text comes with the report of its job.').waitFor()
  await job.report(id, 'data/slow', { plan_text: planText, summary: planSummary })
  await head('aws_security_group_rule.legacy').waitFor()
  const complaints = seat.complaints().filter((one) => !/404/.test(one))
  t.same(complaints, [], 'the 404 of the text that is gone is all that is on the console')
})

for (const screen of screens) {
  t.test(`at ${screen.name}`, async (t) => {
    const seat = await place.sit('ada', screen)
    const { page } = seat
    await page.goto(at('data/database', '?find=standby#L30'))
    await page.getByText('2 matches').waitFor()
    await page.locator('.plan-line[data-chosen]').waitFor()
    await audit(t, seat, `run-stack ${screen.name}`)
    await page.goto(at('data/broken'))
    await page.locator('.reader-wrong').getByText('no credentials').waitFor()
    await audit(t, seat, `run-stack broken ${screen.name}`)
  })
}
