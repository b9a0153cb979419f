import type { ApplyPolicy } from '../facts.ts'
import { asksLastPush } from '../last-push.ts'

import { ofAll, type RuleRef } from './rule-ref.ts'

export type Rule = ApplyPolicy['rules'][number]

/** A requirement, and who asks for it. */
type Asked<T> = { value: T; by: RuleRef }

/** Teams of which one is enough. */
export type OneOf = { teams: readonly string[]; by: RuleRef }

/** What an apply of some stacks needs, of the rules that they take and of `apply` itself. */
export type Requirements = {
  mode: Asked<ApplyPolicy['mode']>
  approvals: Asked<number>
  last_push: RuleRef | undefined
  four_eyes: RuleRef | undefined
  code_owners: RuleRef | undefined
  teams: readonly OneOf[]
  approve_teams: readonly OneOf[]
  checks: ReadonlyMap<string, RuleRef>
}

/** What is asked of every stack, whatever rules there are. */
export const requirementsOfAll = (policy: ApplyPolicy): Requirements => ({
  mode: { value: policy.mode, by: ofAll },
  approvals: { value: policy.approvals, by: ofAll },
  last_push: asksLastPush(policy) ? ofAll : undefined,
  four_eyes: policy.four_eyes ? ofAll : undefined,
  code_owners: policy.code_owners ? ofAll : undefined,
  teams: policy.teams.length > 0 ? [{ teams: policy.teams, by: ofAll }] : [],
  approve_teams: [],
  checks: new Map(policy.checks.map((name) => [name, ofAll])),
})

/** Nothing of a pull request, only its merge, only a comment: what lets fewer ways of applying through is stricter. */
const strictness: Record<ApplyPolicy['mode'], number> = { comment: 0, on_merge: 1, off: 2 }

const stricter = <T>(one: Asked<T>, other: Asked<T> | undefined, rank: (value: T) => number): Asked<T> =>
  other !== undefined && rank(other.value) > rank(one.value) ? other : one

const asked = <T>(value: T | undefined, by: RuleRef): Asked<T> | undefined =>
  value === undefined ? undefined : { value, by }

const withTeams = (before: readonly OneOf[], teams: readonly string[] | undefined, by: RuleRef): readonly OneOf[] =>
  teams === undefined ? before : [...before, { teams, by }]

/**
 * What is asked of stacks that take one rule more. The strictest holds, of each requirement by itself:
 *
 * - `mode`: off goes before on_merge, and that before comment.
 * - `approvals`: the largest number. One person's approval counts for all rules.
 * - `last_push`, `four_eyes`, `code_owners`: true, as soon as one asks for it. A rule that asks for four eyes and does not say
 *   otherwise asks for the last push too.
 * - `teams`: the person who asks is in a team of each rule that names some.
 * - `approve_teams`: of each rule that names some, a member of one of its teams approved. With `protect` that is asked only of
 *   plans that destroy or replace something protected (protected.ts).
 * - `checks`: each that any of them names.
 *
 * So one more rule never lets more through, and their order means nothing but who is named first for what two ask alike.
 */
export const withRule = (before: Requirements, rule: Rule, by: RuleRef): Requirements => {
  const lastPush = rule.last_push ?? rule.four_eyes
  return {
    mode: stricter(before.mode, asked(rule.mode, by), (mode) => strictness[mode]),
    approvals: stricter(before.approvals, asked(rule.approvals, by), (count) => count),
    last_push: before.last_push ?? (lastPush ? by : undefined),
    four_eyes: before.four_eyes ?? (rule.four_eyes ? by : undefined),
    code_owners: before.code_owners ?? (rule.code_owners ? by : undefined),
    teams: withTeams(before.teams, rule.teams, by),
    approve_teams: withTeams(before.approve_teams, rule.protect === undefined ? rule.approve_teams : undefined, by),
    checks:
      rule.checks === undefined
        ? before.checks
        : new Map([...rule.checks.map((name) => [name, by] as const), ...before.checks]),
  }
}
