import t from 'tap'
import { parseRepoConfig } from '#domain/config/config-file.ts'
import { evaluateGate, type GateFailure, type PullFacts } from '#domain/gate/evaluate-gate.ts'
import { gateLookups } from '#domain/gate/gate-lookups.ts'
import { measured } from '#test/helpers/pace.ts'
import { check, facts, OLD, owners, owning, policy, review, stack } from './gate-facts.ts'

/* Random sets of facts that speak against an apply, added one after another. Seeded: a failure can be reproduced. */

const random = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Against = (facts: PullFacts) => PullFacts

const asked =
  (change: Partial<Extract<PullFacts['policy'], { ok: true }>['config']['apply']>): Against =>
  (given) =>
    given.policy.ok
      ? {
          ...given,
          policy: {
            ok: true,
            config: { ...given.policy.config, apply: { ...given.policy.config.apply, ...change } },
          },
        }
      : given

const pull =
  (change: Partial<PullFacts['pull']>): Against =>
  (given) => ({ ...given, pull: { ...given.pull, ...change } })

const planned =
  (change: (plan: NonNullable<PullFacts['plan']>) => Partial<NonNullable<PullFacts['plan']>>): Against =>
  (given) =>
    given.plan === null ? given : { ...given, plan: { ...given.plan, ...change(given.plan) } }

const ownerLines = ['*.tf @acme/owners', '/db/ @olga', '/secret/ @nobody']

const against: Record<string, Against> = {
  'applies are off': asked({ mode: 'off' }),
  'more approvals are required': asked({ approvals: 3 }),
  'another check is required': asked({ checks: ['cost', 'policy'] }),
  'the person who asks may only read': (given) => ({
    ...given,
    permissions: [{ login: 'rob', permission: 'read' }, ...given.permissions],
  }),
  'the person who asks is in no team': (given) => ({
    ...given,
    memberships: [{ team: 'acme/sre', login: 'rob', member: false }, ...given.memberships],
  }),
  'the approval is dismissed': (given) => ({ ...given, reviews: [...given.reviews, review('olga', 'DISMISSED')] }),
  'the approver wants changes': (given) => ({
    ...given,
    reviews: [...given.reviews, review('olga', 'CHANGES_REQUESTED')],
  }),
  'the approver may not push': (given) => ({
    ...given,
    permissions: [{ login: 'olga', permission: 'none' }, ...given.permissions],
  }),
  'a draft': pull({ draft: true }),
  conflicts: pull({ mergeable: false }),
  behind: pull({ mergeableState: 'behind' }),
  closed: pull({ state: 'closed' }),
  'the person who asks is the author': pull({ author: 'rob' }),
  'a path with other owners is changed': (given) => ({
    ...given,
    ...owning([...(given.changedPaths ?? []), 'secret/key'], ...ownerLines),
  }),
  'the person who asks pushed the head': (given) => ({ ...given, pusher: { login: 'rob', sha: 'beef001' } }),
  'other bases are named': asked({ base_branches: ['release/*'] }),
  'the head moved': (given) => ({ ...given, askedSha: OLD }),
  'the plan is of an older commit': planned(() => ({ sha: OLD })),
  'the plan is superseded': planned(() => ({ status: 'superseded' })),
  'a stack failed': planned(({ stacks }) => ({ stacks: [...stacks, stack('failed', { status: 'failed' })] })),
  'another stack failed': planned(({ stacks }) => ({ stacks: [...stacks, stack('worse', { status: 'failed' })] })),
  'a stack was changed since': planned(({ stacks }) => ({
    stacks: [...stacks, stack('changed', { overtaken: { runId: 'run-8', prNumber: 12 } })],
  })),
  'a stack was planned since': planned(({ stacks }) => ({ stacks: [...stacks, stack('new', { unread: true })] })),
  'a check failed': planned(({ stacks }) => ({
    stacks: [...stacks, stack('dear', { checks: [check('cost', 'fail', 'dear')] })],
  })),
  'a check is absent': planned(({ stacks }) => ({ stacks: [...stacks, stack('unseen', { checks: [] })] })),
  'another pull request holds a lock': (given) => ({
    ...given,
    locks: [...given.locks, { stackKey: 'db', runId: 'run-9', prNumber: 12 }],
  }),
  'and another lock': (given) => ({
    ...given,
    locks: [...given.locks, { stackKey: 'app', runId: 'run-9', prNumber: 12 }],
  }),
  'a manual run holds a lock': (given) => ({ ...given, locks: [...given.locks, { stackKey: 'app', runId: 'run-3' }] }),
  'another apply is in flight': (given) => ({ ...given, otherApply: { runId: 'run-4' } }),
}

const start = (): PullFacts =>
  facts({
    codeOwners: owners(...ownerLines),
    policy: policy({ teams: ['sre'] }),
  })

const lost = (before: readonly GateFailure[], after: readonly GateFailure[]): string[] =>
  before
    .filter(
      ({ layer, name, stacks }) =>
        !after.some(
          (other) => other.layer === layer && other.name === name && stacks.every((key) => other.stacks.includes(key)),
        ),
    )
    .map(({ layer, name, stacks }) => `${layer} ${name} ${stacks.join(' ')}`)

const order = [
  'config',
  'mode',
  'permission',
  'approval',
  'mergeable',
  'base',
  'code_owners',
  'four_eyes',
  'plan',
  'check',
  'lock',
  'in_flight',
]

const inOrder = (failures: readonly GateFailure[]): boolean =>
  failures.every(({ layer }, at) => at === 0 || order.indexOf(failures[at - 1]!.layer) <= order.indexOf(layer))

const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) frozen(each)
  return Object.freeze(value)
}

const shuffled = <T>(items: readonly T[], pick: (below: number) => number): T[] => {
  const left = [...items]
  return items.map(() => left.splice(pick(left.length), 1)[0] as T)
}

t.test('each fact against an apply refuses it by itself', async (t) => {
  t.ok(evaluateGate(start()).allowed)
  for (const [about, add] of Object.entries(against)) t.notOk(evaluateGate(add(start())).allowed, about)
})

t.test('a further fact against an apply never takes a failure away', async (t) => {
  const wrong = new Set<string>()
  for (let seed = 1; seed <= 300; seed += 1) {
    const pick = random(seed)
    let given = start()
    let before = evaluateGate(given)
    for (const about of shuffled(Object.keys(against), pick)) {
      given = against[about]!(given)
      const after = evaluateGate(given)
      for (const failure of lost(before.failures, after.failures)) wrong.add(`${about} takes away ${failure}`)
      if (!inOrder(after.failures)) wrong.add(`${about} breaks the order`)
      before = after
    }
    if (seed === 1) t.same([...new Set(before.failures.map(({ layer }) => layer))], order.slice(1), 'all layers fail')
  }
  t.same([...wrong], [])
})

t.test('an invalid policy removes only what a policy requires', async (t) => {
  const invalid = parseRepoConfig('version: 2')
  const free = ['plan', 'lock', 'in_flight']
  for (const [about, add] of Object.entries(against)) {
    const before = evaluateGate(add(start())).failures.filter(
      ({ layer, name }) => free.includes(layer) || name === 'push' || name === 'cost',
    )
    const after = evaluateGate({ ...add(start()), policy: invalid }).failures
    t.same(
      lost(
        before.filter(({ stacks }) => !stacks.includes('unseen')),
        after,
      ),
      [],
      about,
    )
  }
})

t.test('the verdict is the same for the same facts in any order, and the facts are not changed', async (t) => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const pick = random(seed)
    const chosen = Object.keys(against).filter(() => pick(3) === 0)
    const given = frozen(chosen.reduce((so, about) => against[about]!(so), start()))
    const again: PullFacts = {
      ...given,
      ...(given.codeOwners && owning(shuffled(given.changedPaths ?? [], pick), ...ownerLines)),
      locks: shuffled(given.locks, pick),
      plan: given.plan && { ...given.plan, stacks: shuffled(given.plan.stacks, pick) },
    }
    const [one, other] = [evaluateGate(given), evaluateGate(again)]
    if (JSON.stringify(one) !== JSON.stringify(other)) return t.same(one, other, chosen.join(', '))
  }
  t.pass('100 sets of facts')
})

t.test('a plan of 5,000 stacks with checks and locks is judged in a moment', async (t) => {
  const keys = Array.from({ length: 5000 }, (_, i) => `stacks/s${i}`)
  const given = facts({
    plan: {
      ...facts().plan!,
      stacks: keys.map((key) => stack(key, { checks: [check('cost', 'fail'), check('lint', 'warn')] })),
    },
    locks: keys.map((stackKey, i) => ({ stackKey, runId: `run-${i % 50}`, prNumber: 100 + (i % 50) })),
    stacks: keys,
    ...owning(
      keys.map((key) => `${key}/main.tf`),
      ...ownerLines,
    ),
  })
  const { result, ms } = measured(() => evaluateGate(given))
  t.equal(result.failures.length, 51)
  t.ok(ms < 500, `${Math.round(ms)} ms`)
})

t.test('the code host is asked only for what the verdict depends on', async (t) => {
  const reviews = [
    review('olga', 'APPROVED'),
    review('ann', 'APPROVED'),
    review('old', 'APPROVED', { commitId: OLD }),
    review('bot', 'APPROVED', { bot: true }),
    review('Rob', 'APPROVED'),
  ]
  const given = start()
  t.same(gateLookups({ ...given, reviews }), {
    permissions: ['Rob', 'olga'],
    memberships: [
      { team: 'acme/sre', login: 'rob' },
      { team: 'acme/owners', login: 'olga' },
      { team: 'acme/owners', login: 'Rob' },
    ],
  })
  const { permissions, memberships } = gateLookups({
    ...given,
    how: 'on_merge',
    ...owning(['README.md'], ...ownerLines),
  })
  t.same([permissions, memberships], [['olga'], []])
  const relaxed = policy({ approvals: 0, code_owners: false, teams: [] })
  t.same(gateLookups({ ...given, policy: relaxed }), { permissions: ['rob'], memberships: [] })
  t.same(gateLookups({ ...given, codeOwners: null, policy: parseRepoConfig('version: 2') }), {
    permissions: ['rob', 'olga'],
    memberships: [],
  })
})
