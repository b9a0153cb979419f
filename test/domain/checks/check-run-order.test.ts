import t from 'tap'
import { byWeight } from '#domain/checks/check-run-order.ts'
import { wantedCheckRuns } from '#domain/checks/wanted-check-runs.ts'
import { reports, run, stack } from '#test/domain/comments/sample-reports.ts'

const names = (report: (typeof reports)[string]) => {
  const { ofRun, ofStacks } = byWeight([...wantedCheckRuns(report)], report.stacks.length)
  return { ofRun: ofRun.map(({ name }) => name), ofStacks: ofStacks.map(({ name }) => name) }
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
