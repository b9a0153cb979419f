import t from 'tap'
import type { Attention } from '../../../../ui/api/run-types.ts'
import { needsHeading, needsOfRun } from '../../../../ui/run/head/attention.ts'
import { begunBy, endsWhen, runTitle, statusWords, whereKept } from '../../../../ui/run/head/head-words.ts'
import { phaseOf } from '../../../../ui/run/state/phase.ts'
import { tallyOf } from '../../../../ui/run/state/tally.ts'
import { head, row, rowsOf } from '../rows.ts'

const lock = { stack_id: 'x', stack_key: 'b', run_id: 'r', pr_number: 42 }

t.test('what needs somebody is in the order of how grave it is, each with one thing to do', async (t) => {
  const attention: Attention[] = [
    { kind: 'warning', text: 'the file svc.yml has changed', code: 'config_keys_differ' },
    { kind: 'more', text: '… and 7 more stacks' },
    { kind: 'stack_locked', text: 'd is locked by #9', stack_key: 'd', locked_by: { run_id: 'r9', pr_number: 9 } },
    { kind: 'stack_unknown', text: 'b is unknown: its job ended without a report', stack_key: 'b' },
    { kind: 'stack_unknown', text: 'c is unknown: its job ended without a report', stack_key: 'c' },
    { kind: 'stack_failed', text: 'a failed; 2 stacks are blocked by it', stack_key: 'a' },
    { kind: 'check_failed', text: 'cost of a failed: too much', stack_key: 'a', check: 'cost' },
    { kind: 'run_failed', text: 'the graph has cycles' },
  ]
  const needs = needsOfRun({ attention }, rowsOf(row('a'), row('b', { lock }), row('c')))
  t.same(
    needs.map(({ about, text, label, deed }) => [about, text, label, deed.does]),
    [
      ['', 'the graph has cycles', 'What happened', 'open tab'],
      ['a', ' failed; 2 stacks are blocked by it', 'Show', 'show'],
      ['b', ' is unknown: its job ended without a report', 'See its job, then release…', 'release'],
      ['c', ' is unknown: its job ended without a report', 'Show', 'show'],
      ['', 'cost of a failed: too much', 'Show', 'show'],
      ['d', ' is locked by #9', 'Open the run of #9', 'open run'],
      ['', '… and 7 more stacks', 'Show all', 'filter'],
      ['', 'the file svc.yml has changed', 'Read', 'open tab'],
    ],
  )
  t.same(needsOfRun({}, rowsOf()), [])
  t.equal(needsHeading(attention), 'More than 7 things need somebody')
  t.equal(needsHeading(attention.slice(0, 1)), '1 thing needs somebody')
  t.equal(needsHeading(attention.slice(2, 4)), '2 things need somebody')
})

const says = (run: ReturnType<typeof head>, ...rows: ReturnType<typeof row>[]) => {
  const tally = tallyOf(rowsOf(...rows))
  return statusWords(run, tally, phaseOf(run, tally))
}

const applying = (...rows: ReturnType<typeof row>[]) => {
  const [run, tally] = [head(), tallyOf(rowsOf(...rows))]
  const phase = phaseOf(run, tally)
  return { status: statusWords(run, tally, phase), ends: endsWhen(run, tally, phase) }
}

t.test('the status says which wave is applied, and that a failed run sends nothing out any more', async (t) => {
  const [a, b] = [row('a', { wave: 1, status: 'applying' }), row('b', { wave: 2 })]
  t.same(applying(a, b), { status: 'Applying, wave 2 of 3', ends: undefined })
  const failed = row('c', { wave: 1, status: 'failed' })
  t.same(applying(a, b, failed), {
    status: 'Applying, wave 2 of 3, draining',
    ends: 'The run ends when a does; wave 3 does not start.',
  })
  t.equal(applying(a, failed).ends, 'The run ends when a does.')
  const over = head({ status: 'failed' })
  t.equal(says(over, failed), 'Failed')
  const replaced = head({ superseded_by: { sha: 'b'.repeat(40) } })
  t.equal(says(replaced, a), 'Applying, wave 2 of 3, ending for a newer commit')
  const plan = head({ mode: 'plan', status: 'planning' })
  t.equal(says(plan), 'Planning', 'the waves of a plan take no turns')
  const drift = head({ mode: 'drift', status: 'planned' })
  t.equal(says(drift, row('a', { status: 'noop' })), 'No drift')
  t.equal(says(drift, row('a', { status: 'noop' }), row('b', { status: 'planned' })), 'Drifted')
})

t.test('the header names the run, and who began it', async (t) => {
  t.equal(runTitle(head()), 'Apply of #42')
  t.equal(runTitle(head({ pr_title: 'Move the storefront' })), 'Apply of #42: Move the storefront')
  t.equal(begunBy(head()), 'grace asked for it in a comment')
  t.equal(begunBy(head({ trigger: 'push' })), 'begun by the merge')
  t.equal(begunBy(head({ trigger: 'schedule', mode: 'drift' })), 'begun by the schedule')
})

t.test('a run whose rows are elsewhere, or gone, says so', async (t) => {
  t.equal(whereKept({}), undefined)
  t.match(whereKept({ archived: true }), /archived/)
  t.match(whereKept({ thinned: true }), /no drift/)
})
