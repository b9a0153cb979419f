import { parseRepoConfig, type RepoConfig } from '#domain/config/config-file.ts'
import type { Summary } from '#domain/plan-summary.ts'

export const STACKS = 2000
export const RULES = 50
const CONDITIONS = 20

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

/** What the plan of the nth stack does. */
export const summary = (i: number): Summary => ({
  ...{ adds: 2, changes: 3, destroys: i % 10 === 0 ? 1 : 0, replaces: 0 },
  added: [`aws_kind_${i % 40}.a`, `module.m${i % 40}.aws_thing.b`],
  changed: ['aws_thing.a', 'aws_thing.b', 'module.x["a"].aws_thing.c'],
  ...(i % 10 === 0 ? { destroyed: ['aws_thing.gone'] } : {}),
})

export const keyOf = (i: number): string => `team-${i % teams}/${i % 2 === 0 ? 'prod' : 'dev'}/stack-${i}`

/** A policy with so many rules, of which the first 20 have conditions on what plans do. */
export const configOf = (rules: number): RepoConfig => {
  const parsed = parseRepoConfig(policyText(rules))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.config
}
