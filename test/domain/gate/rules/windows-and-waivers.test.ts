import t from 'tap'
import { evaluateGate, type PullFacts } from '#domain/gate/evaluate-gate.ts'
import { gateLookups } from '#domain/gate/gate-lookups.ts'
import { keepsWaves, keptBy } from '#domain/gate/windows.ts'
import { check, facts, OLD, plan, review, stack } from '../gate-facts.ts'
import { asked, refusals, ruled } from './ruled.ts'

const evening = '2027-03-05T18:30:00Z'
const morning = '2027-03-05T10:30:00Z'

t.test('window: applies begin when they may, by the time that the facts have', async (t) => {
  const friday = { deny: '* 17-23 * * fri', time_zone: 'UTC', reason: 'nobody looks after it' }
  const at = (windows: object[], when: string | undefined, more: Partial<PullFacts> = {}) =>
    asked(ruled([], { windows }), { ...(when === undefined ? {} : { at: when }), ...more })
  const sre = (member: boolean | null) => ({ memberships: [{ team: 'acme/sre', login: 'rob', member }] })
  const excepting = [{ ...friday, except_teams: ['sre'] }]
  t.same(refusals(at([friday], morning)), [])
  t.same(refusals(at([friday], evening)), ['window closed:'])
  t.same(refusals(at([friday], undefined)), ['window clock:'], 'nothing is open at a time that is not known')
  t.same(refusals(at(excepting, evening, sre(true))), [], 'members are not kept')
  t.same(refusals(at(excepting, evening, sre(false))), ['window closed:'])
  t.same(refusals(at(excepting, evening, sre(null))), ['window closed:'], 'a membership that could not be read is none')
  t.same(refusals(at(excepting, evening, { ...sre(true), how: 'on_merge' })), [], 'nor when they merge')
  t.same(
    refusals(at([...excepting, { deny: '2027-03-05' }], evening, sre(true))),
    ['window closed:'],
    'another window keeps them',
  )
  t.same(
    refusals(at([{ allow: '* 9-16 * * *', except_teams: ['sre'] }, { allow: '* 8 * * *' }], evening, sre(true))),
    [],
  )
  t.same(refusals(at([{ allow: '2027-01-01' }], evening)), ['window never:'])
  const { failures, layers } = evaluateGate(at(excepting, evening))
  t.match(
    failures[0]?.reason,
    /^Now no apply begins at \* 17-23 \* \* fri \(UTC\), by apply\.windows\[0\]: nobody looks after it.*Wait until Sat 2027-03-06 00:00 UTC, or have a member of sre ask for the apply\.$/,
  )
  t.match(layers.at(-1), {
    layer: 'window',
    verdict: 'pending',
    evidence: [{ holds: false, opens_at: '2027-03-06T00:00:00.000Z' }],
  })
  t.same(gateLookups(at(excepting, evening)).memberships, [{ team: 'acme/sre', login: 'rob' }])
  t.same(gateLookups(at(excepting, morning)).memberships, [], 'and only while the window keeps anybody')
})

t.test('window: a wave is kept by what holds waves, and by no other window', async (t) => {
  const [office, saturday] = [{ allow: '* 9-16 * * mon-fri' }, { allow: '* 10 * * sat', except_teams: ['sre'] }]
  const [friday, day] = [{ deny: '* 17-23 * * fri' }, { deny: '2027-03-05' }]
  const held = <T extends object>(window: T) => ({ ...window, hold: 'waves' })
  const kept = (windows: object[], at: string, member = false): readonly number[] => {
    const all = ruled([], { windows }).config.apply.windows
    const asker = { owner: 'acme', requester: 'rob', memberships: [{ team: 'acme/sre', login: 'rob', member }] }
    return keptBy(all, asker, new Date(at), keepsWaves(all))?.windows.map(({ place }) => place) ?? []
  }
  const saturdayAtTen = '2027-03-06T10:30:00Z'
  t.same(kept([friday, day], evening), [])
  t.same(kept([friday, held(day)], evening), [1])
  t.same(kept([held(office)], saturdayAtTen), [0])
  t.same(kept([held(office), saturday], saturdayAtTen), [], 'inside of an allow that holds nothing')
  t.same(kept([office, held(saturday)], morning), [])
  t.same(kept([held(office), saturday], evening), [0, 1], 'outside of both')
  t.same(kept([held(office), saturday], evening, true), [], 'but for members of one')
  t.same(kept([office, saturday, held(friday)], saturdayAtTen), [])
})

t.test('check: a failed verdict is waived by an approval after it', async (t) => {
  const config = ruled(
    [],
    {},
    {
      checks: [
        { name: 'cost', run: 'x', override: { teams: ['budget'] } },
        { name: 'lint', run: 'x' },
      ],
    },
  )
  const verdict = (name: string, at?: string) => ({ ...check(name, 'fail', 'too dear'), ...(at && { at }) })
  const noon = '2027-03-05T12:00:00Z'
  const later = '2027-03-05T12:00:01Z'
  const waiving = (name: string, at: string | undefined, more: Partial<PullFacts> = {}) =>
    asked(config, {
      plan: plan({ stacks: [stack('a', { checks: [verdict(name, at)] }), stack('b', { checks: [] })] }),
      reviews: [review('olga', 'APPROVED', { submittedAt: later })],
      memberships: [{ team: 'acme/budget', login: 'olga', member: true }],
      ...more,
    })
  const refused = ['check cost: a']
  t.same(refusals(waiving('cost', noon)), [])
  t.same(refusals(waiving('lint', noon)), ['check lint: a'], 'nobody may waive that one')
  t.same(refusals(waiving('cost', later)), refused, 'at the same time')
  t.same(refusals(waiving('cost', '2027-03-05T12:00:02Z')), refused, 'before the verdict')
  t.same(refusals(waiving('cost', undefined)), refused, 'nobody knows when the verdict was given')
  t.same(refusals(waiving('cost', noon, { reviews: [review('olga', 'APPROVED')] })), refused, 'nor when the review was')
  t.same(
    refusals(waiving('cost', noon, { reviews: [review('olga', 'APPROVED', { submittedAt: later, commitId: OLD })] })),
    refused,
  )
  t.same(
    refusals(waiving('cost', noon, { memberships: [{ team: 'acme/budget', login: 'olga', member: false }] })),
    refused,
  )
  t.same(refusals(waiving('cost', noon, { memberships: [] })), refused)
  t.same(refusals(waiving('cost', noon, { pull: { ...facts().pull, author: 'olga' } })), refused, 'their own')
  const check_ = evaluateGate(waiving('cost', noon)).layers.find(({ layer }) => layer === 'check')
  t.match(check_, {
    verdict: 'pass',
    summary: 'What failed is waived',
    evidence: [{}, { holds: true, text: 'cost: failed on stack a, waived by olga of acme/budget', stacks: ['a'] }],
  })
  t.match(evaluateGate(waiving('cost', noon, { reviews: [] })).failures[0], {
    reason:
      'Stack a failed the check cost: too dear. Fix what cost names and push, or, to waive it, ask a member of acme/budget to approve after its verdict.',
    could: { act: 'approve', people: 1, teams: ['acme/budget'] },
  })
  t.same(gateLookups(waiving('cost', noon)).memberships, [{ team: 'acme/budget', login: 'olga' }])
  t.same(gateLookups(waiving('lint', noon)).memberships, [])
})
