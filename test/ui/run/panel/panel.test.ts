import t from 'tap'
import { planAgain } from '../../../../ui/run/acts/plan-again.ts'
import { touchedOf } from '../../../../ui/run/panel/changes-of.ts'
import { bytesWords, wentWrong, whatToDo } from '../../../../ui/run/panel/panel-words.ts'
import { whyOf } from '../../../../ui/run/panel/why.ts'
import { head, row } from '../rows.ts'

t.test('why a stack is in a run: its files, modules, and the stacks before it', async (t) => {
  const why = row('a', { reasons: ['changed', 'module', 'reads_state'], via: ['modules/zone', 'net'] })
  const needs = [{ on: 'net', type: 'reads_state' as const, inferred: true, state: 'acme/net.tfstate' }]
  t.same(whyOf(why, needs), [
    { from: { words: 'its own files' }, made: 'changed' },
    { from: { module: 'modules/zone' }, made: 'uses the module' },
    { from: { stack: 'net' }, made: 'reads state', note: 'acme/net.tfstate, inferred' },
  ])
  const through = [{ on: 'net', type: 'depends_on' as const, inferred: false, through: 'modules/b' }]
  t.same(whyOf(row('a', { reasons: ['dependent'], via: ['net'] }), through), [
    { from: { stack: 'net' }, made: 'depends on it', note: 'through modules/b' },
  ])
  t.same(whyOf(row('a', { reasons: ['module'], via: ['m'] }), undefined), [
    { from: { module: 'm' }, made: 'uses the module' },
  ])
  t.same(whyOf(row('a', { reasons: ['requested', 'watch_path'] }), undefined), [
    { from: { words: 'somebody' }, made: 'asked for it' },
    { from: { words: 'files that it watches' }, made: 'changed' },
  ])
})

t.test('what went wrong and what to do are sentences, and nothing is said of what went well', async (t) => {
  t.equal(wentWrong(row('a', { status: 'failed', exit_code: 1 })), 'It failed with exit code 1.')
  t.match(wentWrong(row('a', { status: 'unknown', unknown_reason: 'not_picked_up' })), /no job picked it up/)
  t.match(wentWrong(row('a', { status: 'unknown' })), /may be locked still/)
  t.equal(wentWrong(row('a', { status: 'applied' })), undefined)
  t.match(whatToDo(row('a', { status: 'blocked', blocked_by: ['x', 'y'] }), head()), /^Fix x and y first/)
  t.match(whatToDo(row('a', { status: 'failed' }), head({ mode: 'plan' })), /push/)
  t.equal(whatToDo(row('a', { status: 'planned' }), head()), undefined)
})

t.test('a run is planned again by its plan, once it has ended and nothing newer is there', async (t) => {
  t.match(planAgain(head()), { why: /once this run has ended/ })
  t.match(planAgain(head({ status: 'failed', plan_run_id: 'p' })), { planRunId: 'p' })
  t.match(planAgain(head({ id: 'me', mode: 'plan', status: 'planned' })), { planRunId: 'me' })
  t.match(planAgain(head({ mode: 'plan', status: 'superseded' })), { why: /newer commit/ })
  t.match(planAgain(head({ status: 'applied', plan_run_id: 'p' })), { why: /applied/ })
  t.match(planAgain(head({ mode: 'drift', status: 'planned' })), { why: /schedule/ })
})

t.test('what a plan touches is listed destroys first; sizes are round', async (t) => {
  const summary = { adds: 1, changes: 1, destroys: 1, replaces: 0, added: ['a'], changed: ['c'], destroyed: ['d'] }
  t.same(
    touchedOf(summary).map(({ sign, address }) => sign + address),
    ['−d', '~c', '+a'],
  )
  t.same([340, 12_300, 2_097_152].map(bytesWords), ['340 B', '12 KB', '2.1 MB'])
})
