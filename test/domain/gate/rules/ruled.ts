import { parseRepoConfig, type RepoConfig } from '#domain/config/config-file.ts'
import { evaluateGate, type PullFacts } from '#domain/gate/evaluate-gate.ts'
import type { Summary } from '#domain/plan-summary.ts'
import { facts, plan, stack } from '../gate-facts.ts'

export type RuleText = Record<string, unknown>

/** A policy that asks for nothing but its rules, where these directories have environments and tags. */
export const ruled = (rules: readonly RuleText[], apply: object = {}, more: object = {}) => {
  const text = JSON.stringify({
    version: 1,
    stacks: [
      { match: 'prod/**', environment: 'production' },
      { match: 'prod/db', tags: ['critical'] },
    ],
    apply: { approvals: 0, rules, ...apply },
    ...more,
  })
  const parsed = parseRepoConfig(text)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed
}

export const none: Summary = { adds: 0, changes: 0, destroys: 0, replaces: 0 }

export const summary = (more: Partial<Summary>): Summary => ({ ...none, ...more })

/** A pull request by ann that rob asks to apply, with stacks whose plans do nothing, and nobody's approval. */
export const asked = (config: { ok: true; config: RepoConfig }, change: Partial<PullFacts> = {}): PullFacts =>
  facts({
    policy: config,
    reviews: [],
    memberships: [],
    plan: plan({
      stacks: ['dev/app', 'prod/app', 'prod/db'].map((key) => stack(key, { checks: [], summary: none })),
    }),
    locks: [],
    codeOwners: null,
    ...change,
  })

/** `approval approvals apply.rules[0]: prod/app prod/db` of each failure. */
export const refusals = (given: PullFacts): string[] =>
  evaluateGate(given).failures.map(({ layer, name, rule, stacks }) =>
    `${layer} ${name}${rule ? ` ${rule.place}` : ''}: ${stacks.join(' ')}`.trim(),
  )
