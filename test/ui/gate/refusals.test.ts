import t from 'tap'
import type { Gate } from '../../../ui/api/gate.ts'
import { byRule, couldWords, type Failure, opensAt, peopleWords, staysWords } from '../../../ui/gate/refusals.ts'

const failure = (given: Partial<Failure>): Failure => ({
  ...({ layer: 'approval', name: 'approvals', reason: '0 of 1.', stacks: [] } as const),
  ...given,
})

t.test('what is in the way is told by the rule that asks for it, after what is asked of all', async (t) => {
  const production = { place: 'apply.rules[1]', name: 'production' }
  const groups = byRule([
    failure({ rule: production }),
    failure({ layer: 'protect', rule: { place: 'apply.rules[0]' } }),
    failure({ layer: 'lock' }),
    failure({ layer: 'permission', rule: production }),
  ])
  t.same(
    groups.map(({ name, place, failures }) => [name, place, failures.map(({ layer }) => layer)]),
    [
      ['All stacks', undefined, ['lock']],
      ['production', 'apply.rules[1]', ['approval', 'permission']],
      ['apply.rules[0]', 'apply.rules[0]', ['protect']],
    ],
  )
})

t.test('who could take it away is said of each', async (t) => {
  const could = (given: Partial<NonNullable<Failure['could']>>): string | undefined =>
    couldWords(failure({ could: { act: 'approve', people: 1, logins: [], teams: [], ...given } }))
  t.equal(couldWords(failure({})), undefined)
  t.equal(could({}), '1 approval, by anybody else who may push')
  t.equal(could({ people: 2, teams: ['acme/dba'] }), '2 approvals, by members of acme/dba')
  t.equal(could({ logins: ['ada', 'eve'], teams: ['acme/dba'] }), '1 approval, by ada, eve or a member of acme/dba')
  t.equal(could({ act: 'ask', teams: ['acme/sre'] }), 'an apply that a member of acme/sre asks for')
})

const gate = (given: Partial<Gate>): Gate => ({ allowed: false, failures: [], facts: [], ...given })

t.test('the fewest people who could let it through, each with what they do', async (t) => {
  t.same(peopleWords(gate({})), [])
  const approve = { logins: ['ada'], teams: ['acme/dba'], others: 2 }
  t.same(peopleWords(gate({ could: { approve, ask: { teams: ['acme/sre', 'acme/lead'] } } })), [
    'ada approves',
    'a member of acme/dba approves',
    '2 others who may push approve',
    'a member of acme/sre and acme/lead asks for the apply',
  ])
  t.same(peopleWords(gate({ could: { approve: { logins: [], teams: [], others: 1 } } })), [
    '1 other who may push approves',
  ])
})

t.test('what stays in the way whoever approves is named', async (t) => {
  const could = { act: 'approve', people: 1, logins: [], teams: [] } as const
  const approval = failure({ could: { ...could, logins: [], teams: [] } })
  t.equal(staysWords(gate({ failures: [approval] })), undefined)
  t.equal(
    staysWords(
      gate({
        failures: [failure({ layer: 'lock' }), approval, failure({ layer: 'lock' }), failure({ layer: 'window' })],
      }),
    ),
    'In the way whoever approves: Locks, Windows.',
  )
})

t.test('when applies may begin again is what a window says that is in the way', async (t) => {
  const facts = (evidence: Gate['facts'][number]['evidence']): Gate =>
    gate({ facts: [{ layer: 'window', verdict: 'pending', summary: '', evidence }] })
  t.equal(opensAt(facts([{ holds: true, text: '', opens_at: '2026-01-01T00:00:00Z' }])), undefined)
  t.equal(opensAt(facts([{ holds: false, text: '', opens_at: '2026-01-01T00:00:00Z' }])), '2026-01-01T00:00:00Z')
  t.equal(opensAt(gate({})), undefined)
})
