import t from 'tap'
import { evaluateGate, type GateFailure, type PullFacts } from '#domain/gate/evaluate-gate.ts'
import { measured } from '#test/helpers/pace.ts'
import { check, HEAD, plan, review, stack } from '../gate-facts.ts'
import { asked, type RuleText, ruled, summary } from './ruled.ts'

/* Random policies and facts. Seeded: a failure can be reproduced. */

const random = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Pick = (below: number) => number

const oneOf = <T>(pick: Pick, all: readonly T[]): T => all[pick(all.length)] as T

const selectors: RuleText[] = [
  {},
  { match: 'prod/**' },
  { match: ['dev/*', 'prod/db'] },
  { environment: 'production' },
  { tag: 'critical' },
]

const conditions: RuleText[] = [
  {},
  {},
  { when: { destroys: '>0' } },
  { when: { changes: 2 } },
  { when: { resources: ['aws_db_*', 'module.dns.*'] } },
  { when: { replaces: '>0', outputs: '>0' } },
]

const demands: RuleText[] = [
  { approvals: 0 },
  { approvals: 1 },
  { approvals: 2 },
  { teams: ['sre'] },
  { teams: ['dba', 'sre'] },
  { approve_teams: ['dba'] },
  { approve_teams: ['leads', 'dba'] },
  { protect: ['aws_db_*'], approve_teams: ['dba'] },
  { four_eyes: true },
  { last_push: true },
  { four_eyes: true, last_push: false },
  { checks: ['cost'] },
  { checks: ['policy', 'cost'] },
  { code_owners: true },
  { mode: 'on_merge' },
  { mode: 'off' },
]

const someRule = (pick: Pick): RuleText => ({
  ...oneOf(pick, selectors),
  ...oneOf(pick, conditions),
  ...oneOf(pick, demands),
  ...(pick(2) === 0 ? oneOf(pick, demands.slice(0, 6)) : {}),
  ...(pick(2) === 0 ? { name: `rule ${pick(100)}` } : {}),
})

const rulesOf = (pick: Pick): RuleText[] => Array.from({ length: pick(5) }, () => someRule(pick))

const windows = [
  { deny: '* 17-23 * * fri', except_teams: ['sre'] },
  { allow: '* 9-16 * * mon-fri' },
  { deny: '2027-03-05', except_teams: ['dba'] },
]

const addresses = ['aws_db_instance.main', 'module.dns.aws_route53_record.x', 'aws_s3_bucket.logs']

const someSummary = (pick: Pick) => {
  const list = (): string[] => addresses.filter(() => pick(3) === 0)
  const [changed, destroyed, replaced] = [list(), list(), list()]
  return summary({
    ...{ changed, destroyed, replaced, changes: changed.length, destroys: destroyed.length + (pick(4) === 0 ? 1 : 0) },
    replaces: replaced.length,
    output_changes: pick(2),
  })
}

/** Facts that speak for an apply more or less. */
const someFacts = (pick: Pick, config: ReturnType<typeof ruled>): PullFacts => {
  const people = ['olga', 'dora', 'rob', 'ann']
  const teams = ['acme/sre', 'acme/dba', 'acme/leads']
  return asked(config, {
    at: `2027-03-0${1 + pick(7)}T${10 + pick(10)}:00:00Z`,
    requester: oneOf(pick, ['rob', 'ann', 'dora']),
    pusher: { login: oneOf(pick, people), sha: HEAD },
    reviews: people
      .filter(() => pick(2) === 0)
      .map((login) => review(login, 'APPROVED', { submittedAt: '2027-03-01T10:00:00Z' })),
    permissions: people.map((login) => ({ login, permission: 'write' as const })),
    memberships: people.flatMap((login) => teams.map((team) => ({ team, login, member: pick(2) === 0 }))),
    plan: plan({
      stacks: ['dev/app', 'prod/app', 'prod/db'].map((key) =>
        stack(key, {
          checks: [
            ...(pick(2) === 0 ? [check('cost', 'pass')] : []),
            ...(pick(3) === 0 ? [{ ...check('policy', 'fail'), at: '2027-03-01T09:00:00Z' }] : []),
          ],
          summary: someSummary(pick),
        }),
      ),
    }),
  })
}

const checks = [{ name: 'policy', run: 'true', override: { teams: ['leads'] } }]

const configOf = (pick: Pick, rules: readonly RuleText[]) => {
  const some = windows.filter(() => pick(4) === 0)
  return { config: ruled(rules, { windows: some }, { checks }), windows: some }
}

/** A failure by its layer, and the stacks that it names: of all, where it names none. */
const covers = (other: GateFailure, one: GateFailure): boolean =>
  other.layer === one.layer && (other.stacks.length === 0 || one.stacks.every((key) => other.stacks.includes(key)))

const isKept = (one: GateFailure, after: readonly GateFailure[]): boolean => {
  const inLayer = after.filter(({ layer }) => layer === one.layer)
  if (one.stacks.length === 0) return inLayer.length > 0
  // what a stricter rule says of some of the stacks is said of them there
  return one.stacks.every((key) => inLayer.some((other) => covers(other, { ...one, stacks: [key] })))
}

t.test('one more rule never lets more through, and takes no stack’s refusal away', async (t) => {
  let refused = 0
  for (let seed = 1; seed <= 600; seed += 1) {
    const pick = random(seed)
    const rules = rulesOf(pick)
    const { config, windows: some } = configOf(pick, rules)
    const given = someFacts(pick, config)
    const before = evaluateGate(given)
    const more = [...rules]
    more.splice(pick(rules.length + 1), 0, someRule(pick))
    const after = evaluateGate({ ...given, policy: ruled(more, { windows: some }, { checks }) })
    refused += before.allowed ? 0 : 1
    if (after.allowed && !before.allowed)
      return t.fail(`seed ${seed}: ${JSON.stringify(more)} lets more through than ${JSON.stringify(rules)}`)
    const lost = before.failures.filter((one) => !isKept(one, after.failures))
    if (lost.length > 0) return t.same(lost, [], `seed ${seed}: ${JSON.stringify(more)}`)
  }
  t.ok(refused > 50 && refused < 600, `${refused} of 600 were refused before`)
})

/** What is refused, whoever asks for it first. */
const withoutOrder = (given: PullFacts): string =>
  JSON.stringify(
    evaluateGate(given)
      .failures.map(({ layer, name, stacks }) => [layer, name, ...stacks].join(' '))
      .sort(),
  )

t.test('the order of rules does not matter', async (t) => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const pick = random(seed)
    // each asks for what no other does: of two that ask alike the first is named, with its stacks
    const rules = demands.filter(() => pick(3) === 0).map((demand) => ({ ...oneOf(pick, selectors), ...demand }))
    const { config, windows: some } = configOf(pick, rules)
    const given = someFacts(pick, config)
    const turned = ruled([...rules].reverse(), { windows: some }, { checks })
    const allowed = [given, { ...given, policy: turned }].map((one) => evaluateGate(one).allowed)
    t.equal(allowed[0], allowed[1], `seed ${seed}`)
    const layersOf = (one: PullFacts) => [...new Set(evaluateGate(one).failures.map(({ layer }) => layer))]
    t.same(layersOf(given), layersOf({ ...given, policy: turned }), `seed ${seed}`)
  }
  const pair = [
    { match: 'prod/**', approvals: 2 },
    { tag: 'critical', four_eyes: true },
  ]
  const given = asked(ruled(pair), { requester: 'ann' })
  t.equal(withoutOrder(given), withoutOrder({ ...given, policy: ruled([...pair].reverse()) }))
})

/** Facts that somebody found, and what is left of them if one is not found. */
const losses: Record<string, (facts: PullFacts, pick: Pick) => PullFacts> = {
  'a review': (facts, pick) => ({ ...facts, reviews: without(facts.reviews, pick) }),
  'a permission': (facts, pick) => ({ ...facts, permissions: without(facts.permissions, pick) }),
  'a membership': (facts, pick) => ({ ...facts, memberships: without(facts.memberships, pick) }),
  'who pushed': (facts) => ({ ...facts, pusher: null }),
  'the plan': (facts) => ({ ...facts, plan: null }),
  'what plans do': (facts) => withStacks(facts, ({ summary: _, ...rest }) => rest),
  'the lists of what plans do': (facts) =>
    withStacks(facts, ({ summary: known, ...rest }) => ({
      ...rest,
      ...(known && {
        summary: summary({
          changes: known.changes,
          destroys: known.destroys,
          replaces: known.replaces,
          output_changes: known.output_changes,
        }),
      }),
    })),
  'when a verdict was given': (facts) =>
    withStacks(facts, (one) => ({ ...one, checks: one.checks.map(({ at: _, ...rest }) => rest) })),
  'when a review was given': (facts) => ({
    ...facts,
    reviews: facts.reviews.map(({ submittedAt: _, ...rest }) => rest),
  }),
  'the verdicts that passed': (facts) =>
    withStacks(facts, (one) => ({ ...one, checks: one.checks.filter(({ status }) => status === 'fail') })),
  'the time': ({ at: _, ...facts }) => facts,
  'who asks': ({ requester: _, ...facts }) => facts,
  'the owners': (facts) => ({ ...facts, codeOwners: null }),
}

const without = <T>(list: readonly T[], pick: Pick): T[] =>
  list.filter((_, at) => at !== pick(Math.max(1, list.length)))

const withStacks = (
  facts: PullFacts,
  change: (one: NonNullable<PullFacts['plan']>['stacks'][number]) => NonNullable<PullFacts['plan']>['stacks'][number],
): PullFacts =>
  facts.plan === null ? facts : { ...facts, plan: { ...facts.plan, stacks: facts.plan.stacks.map(change) } }

t.test('a fact that is not found never lets through what was refused', async (t) => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const pick = random(seed)
    const { config } = configOf(pick, rulesOf(pick))
    const given = someFacts(pick, config)
    if (evaluateGate(given).allowed) continue
    for (const [about, lose] of Object.entries(losses))
      if (evaluateGate(lose(given, pick)).allowed) return t.fail(`seed ${seed}: without ${about} it is let through`)
  }
  t.pass('400 policies')
})

t.test('an hour’s work for 50 rules and a million addresses is a moment’s', async (t) => {
  const rules = Array.from({ length: 50 }, (_, i) => ({
    match: `team-${i % 25}/**`,
    approvals: 1,
    ...(i < 20 ? { when: { resources: [`aws_${i}_*`, `*.name_${i}`] } } : {}),
  }))
  const added = Array.from({ length: 500 }, (_, i) => `module.x["${i}"].aws_thing.name`)
  const stacks = Array.from({ length: 2000 }, (_, i) =>
    stack(`team-${i % 25}/s${i}`, { checks: [], summary: summary({ adds: 500, added }) }),
  )
  const { result, ms } = measured(() => evaluateGate(asked(ruled(rules), { plan: plan({ stacks }) })))
  t.notOk(result.allowed)
  t.ok(ms < 3000, `${Math.round(ms)} ms`)
})
