import { evaluateGate, type PullFacts } from '#domain/gate/evaluate-gate.ts'
import { gateLookups } from '#domain/gate/gate-lookups.ts'
import { configOf, keyOf, RULES, STACKS, summary } from './gate/policy.ts'
import { type OpenGate, openGate } from './gate/world.ts'
import type { Bench, Measurement } from './harness/measure.ts'

/*
 * Microseconds a stack that the gate judges, for an apply of 2,000 stacks with three checks each: with 50 rules, 20 of them with
 * conditions on what plans do, and by the same policy without rules. `asked` is what an apply waits for: the plan is read from the
 * database, and what it does where rules ask for that; the code host answers at once. `judged` is the computation alone, whom to look
 * up and the verdict, with facts and policy that are new in each turn.
 */

const TURNS = 20

const head = 'a'.repeat(40)

const body = JSON.stringify({
  runId: 'plan',
  sha: head,
  status: 'planned',
  stacks: Array.from({ length: STACKS }, (_, i) => ({
    key: keyOf(i),
    status: 'planned',
    checks: ['cost', 'lint', 'policy'].map((name) => ({ name, status: 'pass', at: '2027-01-01T00:00:00Z' })),
    summary: summary(i),
  })),
})

const factsOf = (rules: number): PullFacts => {
  const plan: NonNullable<PullFacts['plan']> = JSON.parse(body)
  const reviewers = Array.from({ length: 5 }, (_, i) => `reviewer-${i}`)
  return {
    ...{
      how: 'comment',
      policy: { ok: true, config: configOf(rules) },
      owner: 'acme',
      requester: 'rob',
      askedSha: head,
    },
    pull: {
      ...{ number: 7, author: 'ann', headSha: head, state: 'open', merged: false, draft: false, fork: false },
      ...{ baseRef: 'main', defaultBranch: 'main', mergeable: true, mergeableState: 'clean' },
    },
    reviews: reviewers.map((login) => ({ login, bot: false, state: 'APPROVED', commitId: head })),
    pusher: null,
    permissions: [...reviewers, 'rob'].map((login) => ({ login, permission: 'write' })),
    memberships: Array.from({ length: RULES }, (_, i) => ({
      team: `acme/owners-${i}`,
      login: 'reviewer-0',
      member: true,
    })),
    ...{
      changedPaths: null,
      codeOwners: null,
      plan,
      stacks: plan.stacks.map(({ key }) => key),
      locks: [],
      otherApply: null,
    },
  }
}

const judged = (rules: number) => (): number => {
  let total = 0
  for (let turn = 0; turn < TURNS; turn += 1) {
    const facts = factsOf(rules)
    const before = performance.now()
    gateLookups(facts)
    const { allowed } = evaluateGate(facts)
    total += performance.now() - before
    if (!allowed) throw new Error('the gate refused what everything speaks for')
  }
  return (total * 1000) / (TURNS * STACKS)
}

const named = (
  cost: (rules: number) => Measurement['contenders'][string],
): Pick<Measurement, 'ours' | 'contenders'> => ({
  ours: `svc, ${RULES} rules`,
  contenders: { [`svc, ${RULES} rules`]: cost(RULES), 'without rules': cost(0) },
})

let world: OpenGate | undefined

const asked = (rules: number) => async (): Promise<number> => {
  if (world === undefined) throw new Error('the database is not open')
  let total = 0
  for (let turn = 0; turn < 5; turn += 1) {
    const config = configOf(rules)
    const before = performance.now()
    const allowed = await world.ask(config)
    total += performance.now() - before
    if (!allowed) throw new Error('the gate refused what everything speaks for')
  }
  return (total * 1000) / (5 * STACKS)
}

export default {
  name: 'gate',
  about:
    'The gate of 2,000 stacks with 50 rules and 20 conditions, against the same gate without rules; alone, and with what it asks the code host.',
  unit: 'µs',
  groups: {
    asked: {
      ...named(asked),
      setup: async () => {
        world = await openGate()
      },
      teardown: async () => world?.stop(),
    },
    judged: named(judged),
  },
} satisfies Bench
