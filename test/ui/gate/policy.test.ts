import t from 'tap'
import { newestRun } from '#test/scenes/commenting.ts'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { asking } from '../asking.ts'
import { audit, screens, startPlace } from '../browser.ts'
import { planAnother } from '../run/storefront.ts'
import { planSummary, planText } from '../run-stack/a-plan.ts'

/* The gate of a plan that a policy refuses: by its rules, in a freeze, for what it would destroy. */

/** A day, so many days from now. */
const day = (ahead: number): string => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)

const policy = `version: 1
apply:
  approvals: 0
  rules:
    - name: production
      match: data/**
      approvals: 1
    - name: firewall
      protect: ["aws_security_group_rule.*"]
      approve_teams: [dba]
  windows:
    - deny: ${day(-1)}..${day(3)}
      reason: the books are closed
`
const place = await startPlace(t, { files: { ...withWorkflow, 'svc.yml': policy } })
place.github.organization('acme').team('dba').add('grace')
place.repository.setPermission('grace', 'write')
const summary = {
  ...planSummary,
  destroyed: ['aws_security_group_rule.legacy'],
  replaced: ['aws_db_parameter_group.main'],
}
const pull = await planAnother(place, 'data/database', { summary, plan_text: planText })
const planId = await newestRun(place, pull, 'plan')

for (const screen of screens) {
  t.test(`a gate with a policy at ${screen.name}`, async (t) => {
    const seat = await place.sit('ada', screen)
    const { page } = seat
    await page.goto(`/runs/${planId}/gate`)
    await page.getByText(/destroyed, line \d+/).waitFor()
    await audit(t, seat, `gate with a policy ${screen.name}`)
  })
}

t.test('who could let it through, and when does the freeze end? What is in the way is told by rule', async (t) => {
  const { page } = await place.sit('ada')
  const { click, clicks } = await asking(page, `/runs/${planId}`)
  await click(page.getByRole('link', { name: 'Gate' }))
  const rules = page.getByRole('region', { name: 'What is in the way, by rule' })
  await rules.getByRole('heading', { name: 'production apply.rules[0]' }).waitFor()
  await rules.getByRole('heading', { name: 'firewall apply.rules[1]' }).waitFor()
  await rules.getByText('Takes 1 approval, by a member of acme/dba.').waitFor()
  await page
    .getByRole('region', { name: 'Who could let it through' })
    .getByText('a member of acme/dba approves')
    .waitFor()
  t.match(await page.locator('.gate-head').textContent(), /Applies may begin again in \d+ /)
  t.equal(clicks(), 1)
})

t.test('what is protected leads to its lines in the plan', async (t) => {
  const { page } = await place.sit('ada')
  await page.goto(`/runs/${planId}/gate`)
  await page.getByText(/destroyed, line \d+ · is not in configuration/).waitFor()
  await page.getByRole('link', { name: 'aws_security_group_rule.legacy' }).click()
  await page.getByText('- resource "aws_security_group_rule" "legacy" {').waitFor()
  t.match(page.url(), /\/stacks\/data%2Fdatabase#L\d+$/)
})
