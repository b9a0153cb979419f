import t from 'tap'
import { layers } from '#domain/gate/verdict.ts'
import type { Gate } from '../../../ui/api/gate.ts'
import { commandIn, layerWords, tallySentence, verdictSentence } from '../../../ui/gate/verdict-words.ts'

const gate = (given: Partial<Gate>): Gate => ({ allowed: true, failures: [], facts: [], ...given })
const failure: Gate['failures'][number] = { layer: 'check', name: 'cost', reason: 'too much', stacks: [] }

t.test('every layer has a heading', async (t) => {
  t.same(Object.keys(layerWords), [...layers], 'in the order of the gate')
})

t.test('the gate is said in one sentence', async (t) => {
  const cases: [Gate, string][] = [
    [gate({ waves: [['a', 'b'], ['c']] }), 'Would let through an apply of 3 stacks in 2 waves'],
    [gate({ waves: [['a']] }), 'Would let through an apply of 1 stack in 1 wave'],
    [gate({}), 'Would let an apply through'],
    [gate({ allowed: false, failures: [failure] }), 'Would be refused: 1 reason'],
    [gate({ allowed: false, failures: [failure, failure] }), 'Would be refused: 2 reasons'],
    [gate({ waves: [['a']], decided_at: '2026-01-31T12:00:00Z' }), 'Let through an apply of 1 stack in 1 wave'],
    [gate({ decided_at: '2026-01-31T12:00:00Z' }), 'The apply was let through'],
  ]
  for (const [given, sentence] of cases) t.equal(verdictSentence(given), sentence)
})

t.test('how many layers found what, the gravest first', async (t) => {
  const facts = (['pass', 'off', 'fail', 'pass'] as const).map((verdict) => ({
    layer: 'lock' as const,
    ...{ summary: '', evidence: [], verdict },
  }))
  t.equal(tallySentence({ allowed: false, failures: [], facts }), '1 refuses · 2 pass · 1 not asked')
})

t.test('the comment that a sentence says to type', async (t) => {
  t.equal(commandIn('Comment `svc plan` where it is, and read the new plan.'), 'svc plan')
  t.equal(commandIn('Ask for an approval.'), undefined)
  t.equal(commandIn('See `apply.checks`.'), undefined, 'a setting is no comment')
})
