import t from 'tap'
import { byWeight } from '#domain/check-run-order.ts'
import { wantedCheckRuns } from '#domain/check-runs.ts'
import { reports, run, stack } from './sample-reports.ts'

const names = (report: (typeof reports)[string]) => {
  const { ofRun, ofStacks } = byWeight(wantedCheckRuns(report), report.stacks.length)
  return { ofRun: ofRun.map(({ name }) => name), ofStacks: ofStacks.map(({ name }) => name) }
}

t.test('what is of the run comes first, then what somebody must look at', async (t) => {
  t.same(names(reports['apply failed']!), {
    ofRun: ['svc/apply'],
    ofStacks: ['svc/apply: data/postgres', 'svc/apply: app:eu', 'svc/apply: network', 'svc/policy: network'],
  })
})

t.test('of over 50 stacks those under way have none yet', async (t) => {
  const stacks = Array.from({ length: 51 }, (_, at) => stack(`s${at}`, { status: at < 2 ? 'planned' : 'planning' }))
  t.same(names({ run: run({ status: 'planning' }), stacks }).ofStacks, ['svc/plan: s0', 'svc/plan: s1'])
  t.equal(names({ run: run({ status: 'planning' }), stacks: stacks.slice(1) }).ofStacks.length, 50)
})
