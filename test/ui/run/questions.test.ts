import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { newestRun } from '#test/scenes/commenting.ts'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { asking } from '../asking.ts'
import { startPlace } from '../browser.ts'
import { applyStorefront, card, planAnother, policy } from './storefront.ts'

/*
 * Questions that a run answers, each with as many clicks as it may take, beginning at the run's own address. Their names are the
 * questions of docs/ui.md.
 */

const place = await startPlace(t, { files: { ...withWorkflow, 'svc.yml': policy } })
const { applyId, pull } = await applyStorefront(place)
const waiting = await planAnother(place, 'data/database')
const waitingId = await newestRun(place, waiting, 'plan')
const destroying = await newestRun(
  place,
  await planAnother(place, 'data/cache', {
    summary: {
      ...{ adds: 1, changes: 0, destroys: 2, replaces: 0 },
      added: ['aws_elasticache_user.app'],
      destroyed: ['aws_elasticache_cluster.main', 'aws_elasticache_subnet_group.main'],
    },
    plan_text: [
      '  # aws_elasticache_user.app will be created',
      '  + resource "aws_elasticache_user" "app" {',
      '    }',
      '',
      '  # aws_elasticache_cluster.main will be destroyed',
      '  - resource "aws_elasticache_cluster" "main" {',
      '      - node_type = "cache.r6g.large" -> null',
      '    }',
      '',
      'Plan: 1 to add, 0 to change, 2 to destroy.',
      '',
    ].join('\n'),
  }),
  'plan',
)
const { page } = await place.sit('ada')

const asked = () => asking(page, `/runs/${applyId}`)

const panel = (of: Page, key: string): Locator => of.getByRole('region', { name: key })

t.test('why is this stack in the run?', async (t) => {
  const { click, clicks } = await asked()
  await click(card(page, 'data/database'))
  const why = panel(page, 'data/database').locator('.stack-why')
  await why.getByText('acme-state/platform/network/terraform.tfstate, inferred').waitFor()
  const lines = await why.locator('li').allInnerTexts()
  t.same(
    lines.map((line) => line.replaceAll(/\s+/g, ' ').replaceAll('/ ', '/')),
    [
      'its own files → changed',
      'platform/network → reads state (acme-state/platform/network/terraform.tfstate, inferred)',
    ],
  )
  t.equal(clicks(), 1)
  await card(page, 'platform/dns').click()
  await panel(page, 'platform/dns').getByText('modules/zone').waitFor()
  await panel(page, 'platform/dns').getByText('uses the module').waitFor()
})

t.test('why is it blocked?', async (t) => {
  const { click, clicks } = await asked()
  await card(page, 'apps/storefront/production').getByText('by data/database').waitFor()
  t.equal(clicks(), 0, 'its card names the stack that failed')
  await click(card(page, 'apps/storefront/production'))
  await click(panel(page, 'apps/storefront/production').getByRole('link', { name: 'data/database' }).first())
  await panel(page, 'data/database').getByText('StorageQuotaExceeded').waitFor()
  t.match(page.url(), /\?stack=data\/database$/)
  t.equal(clicks(), 2)
})

t.test('what holds its lock, since when, and who waits?', async (t) => {
  const { click, clicks } = await asked()
  await click(card(page, 'data/database'))
  const beside = panel(page, 'data/database')
  await beside.getByText(`#${waiting.number} waits for it.`).waitFor()
  t.match(await beside.innerText(), /Held by this pull request since \d\d:\d\d:\d\d, \d+ (s|min) ago/)
  t.equal(clicks(), 1)
})

t.test('what must happen before it can be applied?', async (t) => {
  const { click, clicks } = await asking(page, `/runs/${waitingId}`)
  await click(page.getByRole('link', { name: 'Gate' }))
  await page.getByRole('heading', { name: /^Would be refused/ }).waitFor()
  const locks = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Locks' }) })
  await locks.getByText(`#${pull.number}`).first().waitFor()
  t.equal(clicks(), 1)
})

t.test('what does it destroy? All of the run, destroys first', async (t) => {
  const { click, clicks } = await asking(page, `/runs/${destroying}`)
  await click(page.getByRole('link', { name: 'Changes' }))
  const changes = page.getByRole('region', { name: 'Changes' })
  await changes.getByRole('listitem').first().waitFor()
  const lines = await changes.getByRole('listitem').allInnerTexts()
  t.match(lines[0], /2 are destroyed/)
  t.match(lines[1], /data\/cache/)
  t.match(lines.slice(2, 4).join(), /aws_elasticache_cluster\.main.*aws_elasticache_subnet_group\.main/s)
  t.equal(clicks(), 1)
})

t.test('what does it destroy? Of one stack, as its plan says it', async (t) => {
  const { click, clicks } = await asking(page, `/runs/${destroying}`)
  await click(card(page, 'data/cache'))
  await click(page.getByRole('link', { name: 'Read the plan' }))
  await page.getByRole('heading', { name: '1 is destroyed' }).waitFor()
  await page.getByText('- node_type = "cache.r6g.large" -> null').waitFor()
  t.equal(clicks(), 2, 'what is destroyed is open')
})

t.test('what happened, in order, and who caused it?', async (t) => {
  const { click, clicks } = await asked()
  await click(page.getByRole('link', { name: 'Timeline' }))
  const causes = page.getByRole('region', { name: 'What happened, by cause' })
  await causes.getByText('data/database failed').first().waitFor()
  const lines = await causes.locator('.cause-words').allInnerTexts()
  const at = (words: RegExp): number => lines.findIndex((line) => words.test(line))
  t.equal(at(/^grace asked for the apply in a comment: 12 locks taken/), 0)
  const [failed, lost] = [at(/^data\/database failed: the run drains/), at(/platform\/registry is unknown/)]
  t.ok(0 < failed && failed < lost, lines.join('\n'))
  t.equal(await causes.locator('.cause-who').first().innerText(), 'grace')
  t.equal(clicks(), 1)
})

t.test('which job ran it?', async (t) => {
  const { click, clicks } = await asked()
  await click(card(page, 'data/database'))
  const job = panel(page, 'data/database').getByRole('link', { name: /^Job \d+$/ })
  t.match(await job.getAttribute('href'), /^https:\/\/codehost\.example\/acme\/infra\/actions\/runs\/9000\/job\/\d+$/)
  t.equal(clicks(), 1)
})

t.test('what would this machine accept now, and when does its timer fire?', async (t) => {
  const { click, clicks } = await asked()
  await click(page.getByRole('link', { name: 'Machine', exact: true }))
  await click(page.getByRole('link', { name: 'Lock of data/database' }))
  const now = page.locator('.machine-now')
  await now.getByText('reminder.due', { exact: true }).last().waitFor()
  t.match(
    await now.innerText(),
    /Accepts now.*release\.requested\s+→ free.*Waits for\s+in \d+ (days|h).*reminder\.due/s,
  )
  t.equal(clicks(), 2)
})

t.test('what is open, and what it is filtered by, are in the address: Back and a reload lose nothing', async (t) => {
  await asked()
  await page.getByRole('button', { name: 'failed 1' }).click()
  await card(page, 'platform/network').waitFor({ state: 'detached' })
  await card(page, 'data/database').click()
  await panel(page, 'data/database').waitFor()
  t.match(page.url(), /\?stack=data\/database&status=failed$/)
  await page.reload()
  await panel(page, 'data/database').waitFor()
  t.equal(await card(page, 'platform/network').count(), 0)
  await page.goBack()
  await panel(page, 'data/database').waitFor({ state: 'detached' })
  t.equal(await card(page, 'platform/network').count(), 0)
  await page.getByRole('searchbox').fill('cluster')
  await page.getByText('No stack of this run matches.').waitFor()
  await page.getByRole('button', { name: 'Show all 12' }).click()
  await card(page, 'platform/network').waitFor()
})

t.test('it leads to the pull request, the commit, and the plan it came from', async (t) => {
  await asked()
  const pullLink = page.getByRole('link', { name: 'Pull request' })
  t.match(await pullLink.getAttribute('href'), new RegExp(`/acme/infra/pull/${pull.number}$`))
  t.match(await page.getByRole('link', { name: pull.headSha().slice(0, 7) }).getAttribute('href'), /\/commit\//)
  await page.getByRole('link', { name: 'Plan it came from' }).click()
  await page.getByRole('heading', { name: /^Plan of #/ }).waitFor()
})
