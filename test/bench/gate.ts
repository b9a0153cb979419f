import { parseRepoConfig, type RepoConfig } from '#domain/config/config-file.ts'
import { evaluateGate, type PullFacts } from '#domain/gate/evaluate-gate.ts'
import { gateLookups } from '#domain/gate/gate-lookups.ts'
import type { Summary } from '#domain/plan-summary.ts'
import type { Measurement } from './harness/measure.ts'

/*
 * Microseconds a stack that the gate judges: whom to look up, and the verdict, for an apply of 2,000 stacks with three checks each. With
 * 50 rules, 20 of them with conditions on what plans do, and by the same policy without rules. Facts and policy are read anew in each
 * turn, as an apply does, and before the clock starts.
 */

const STACKS = 2000
const RULES = 50
const CONDITIONS = 20
const TURNS = 20

const teams = 25

const condition = (i: number) =>
  i % 2 === 0 ? { destroys: '>0' } : { resources: [`aws_kind_${i}.*`, `module.m${i}.*`], changes: 3 }

const rule = (_: unknown, i: number) => ({
  name: `rule ${i}`,
  ...(i % 3 === 0 ? { match: `team-${i % teams}/**` } : {}),
  ...(i % 3 === 1 ? { match: [`team-${i % teams}/prod/*`, `team-${(i + 1) % teams}/prod/*`] } : {}),
  ...(i % 3 === 2 ? { environment: `prod-${i % teams}` } : {}),
  ...(i < CONDITIONS ? { when: condition(i) } : {}),
  approvals: 1 + (i % 2),
  ...(i % 5 === 0 ? { checks: ['cost'] } : {}),
  ...(i % 7 === 0 ? { approve_teams: [`owners-${i}`] } : {}),
})

const policyText = (rules: number): string =>
  JSON.stringify({
    version: 1,
    stacks: Array.from({ length: teams }, (_, i) => ({ match: `team-${i}/prod/*`, environment: `prod-${i}` })),
    apply: { approvals: 1, checks: ['cost', 'policy'], rules: Array.from({ length: rules }, rule) },
  })

const summary = (i: number): Summary => ({
  ...{ adds: 2, changes: 3, destroys: i % 10 === 0 ? 1 : 0, replaces: 0 },
  added: [`aws_kind_${i % 40}.a`, `module.m${i % 40}.aws_thing.b`],
  changed: ['aws_thing.a', 'aws_thing.b', 'module.x["a"].aws_thing.c'],
  ...(i % 10 === 0 ? { destroyed: ['aws_thing.gone'] } : {}),
})

const head = 'a'.repeat(40)

const body = JSON.stringify({
  runId: 'plan',
  sha: head,
  status: 'planned',
  stacks: Array.from({ length: STACKS }, (_, i) => ({
    key: `team-${i % teams}/${i % 2 === 0 ? 'prod' : 'dev'}/stack-${i}`,
    status: 'planned',
    checks: ['cost', 'lint', 'policy'].map((name) => ({ name, status: 'pass', at: '2027-01-01T00:00:00Z' })),
    summary: summary(i),
  })),
})

const configOf = (rules: number): RepoConfig => {
  const parsed = parseRepoConfig(policyText(rules))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.config
}

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

export default {
  name: 'gate',
  unit: 'µs',
  ours: `svc, ${RULES} rules`,
  contenders: { [`svc, ${RULES} rules`]: judged(RULES), 'without rules': judged(0) },
} satisfies { name: string; unit: string } & Measurement
