import t from 'tap'
import { isShown, statusesByWeight } from '#domain/checks/check-run-order.ts'
import { runCheckRuns, sameForStacks, stacksCheckRuns } from '#domain/checks/wanted-check-runs.ts'
import { reports, run, stack } from '#test/domain/comments/sample-reports.ts'

const names = (report: (typeof reports)[string]) => {
  const ofStacks = [...stacksCheckRuns(report)].map(({ check }) => check)
  return {
    ofRun: runCheckRuns(report).map(({ name }) => name),
    ofStacks: ofStacks.filter((check) => isShown(check, report.stacks.length)).map(({ name }) => name),
  }
}

t.test('check runs of stacks are written in the order in which somebody must look at them', async (t) => {
  t.same(statusesByWeight, [
    ['failed', 'unconfirmed', 'unknown'],
    ['superseded', 'blocked', 'skipped'],
    ['planned', 'applied', 'noop'],
  ])
})

t.test('each stack and each of its verdicts has one, beside those of the whole run', async (t) => {
  t.same(names(reports['apply failed']!), {
    ofRun: ['svc/apply'],
    ofStacks: ['svc/apply: network', 'svc/policy: network', 'svc/apply: data/postgres', 'svc/apply: app:eu'],
  })
})

t.test('what they say of the run changes with its waves and its address, and not while it goes on', async (t) => {
  const going = sameForStacks(run({ status: 'planning' }))
  t.equal(sameForStacks(run({ status: 'superseded', current_wave: 1 })), going)
  for (const change of [{ waves: 7 }, { html_url: 'https://svc.example.com/r/2' }])
    t.not(sameForStacks(run({ status: 'planning', ...change })), going, JSON.stringify(change))
})

t.test('with over 50 stacks, those under way have no check run yet', async (t) => {
  const stacks = Array.from({ length: 51 }, (_, at) => stack(`s${at}`, { status: at < 2 ? 'planned' : 'planning' }))
  t.same(names({ run: run({ status: 'planning' }), stacks }).ofStacks, ['svc/plan: s0', 'svc/plan: s1'])
  t.equal(names({ run: run({ status: 'planning' }), stacks: stacks.slice(1) }).ofStacks.length, 50)
})
