import t from 'tap'
import { isShown, weightOf } from '#domain/checks/check-run-order.ts'
import { runCheckRuns, stacksCheckRuns } from '#domain/checks/wanted-check-runs.ts'
import { reports, run, stack } from '#test/domain/comments/sample-reports.ts'

const names = (report: (typeof reports)[string]) => {
  const ofStacks = [...stacksCheckRuns(report)].map(({ check }) => check)
  const shown = ofStacks.filter((check) => isShown(check, report.stacks.length))
  return {
    ofRun: runCheckRuns(report).map(({ name }) => name),
    ofStacks: shown.sort((one, other) => weightOf(one) - weightOf(other)).map(({ name }) => name),
  }
}

t.test('check runs of the whole run come first, then what somebody must look at', async (t) => {
  t.same(names(reports['apply failed']!), {
    ofRun: ['svc/apply'],
    ofStacks: ['svc/apply: data/postgres', 'svc/apply: app:eu', 'svc/apply: network', 'svc/policy: network'],
  })
})

t.test('with over 50 stacks, those under way have no check run yet', async (t) => {
  const stacks = Array.from({ length: 51 }, (_, at) => stack(`s${at}`, { status: at < 2 ? 'planned' : 'planning' }))
  t.same(names({ run: run({ status: 'planning' }), stacks }).ofStacks, ['svc/plan: s0', 'svc/plan: s1'])
  t.equal(names({ run: run({ status: 'planning' }), stacks: stacks.slice(1) }).ofStacks.length, 50)
})
