import type { PlanCheck, PullFacts } from './facts.ts'
import { teamOf } from './people.ts'
import { type Opinion, opinionsOf } from './reviews.ts'
import { stacksAsked, type Taken } from './rules/take-rules.ts'
import { type TeamsApproval, teamsApproval } from './rules/teams-approval.ts'

/** A failed verdict that does not refuse: a member of a team that may waive it approved the head commit afterwards. */
export type Waiver = { check: string; stack: string; login: string; team: string }

/** A failed verdict, and what is said of the teams that may waive it; undefined if none may. */
export type FailedVerdict = { stack: string; waived: TeamsApproval | undefined }

/** Opinions that came after a verdict. Without both times it is not known which was first, and nothing is waived. */
const after = (opinions: readonly Opinion[], { at }: PlanCheck): Opinion[] => {
  const given = at === undefined ? Number.NaN : Date.parse(at)
  return opinions.filter((opinion) => opinion.at !== undefined && Date.parse(opinion.at) > given)
}

/** The teams that may waive each check, as the default branch's `checks` say, as `organisation/slug`. */
export const overridesOf = ({ policy, owner }: Pick<PullFacts, 'policy' | 'owner'>): ReadonlyMap<string, string[]> =>
  new Map(
    policy.ok
      ? policy.config.checks.flatMap(({ name, override }) =>
          override === undefined ? [] : [[name, override.teams.map((slug) => teamOf(owner, slug))] as const],
        )
      : [],
  )

/** Judges each failed verdict on the stacks of an apply, by the check's name. Who pushed the head waives nothing if any stack asks that. */
export const failedVerdicts = (facts: PullFacts, taken: Taken | undefined): Map<string, FailedVerdict[]> => {
  const failed = new Map<string, FailedVerdict[]>()
  const overrides = overridesOf(facts)
  const lastPush = taken?.demands.some(({ requirements }) => requirements.last_push !== undefined) ?? false
  const opinions = overrides.size > 0 ? opinionsOf(facts, lastPush) : []
  for (const { key: stack, checks } of stacksAsked(facts))
    for (const check of checks) {
      if (check.status !== 'fail') continue
      const teams = overrides.get(check.name)
      const waived = teams === undefined ? undefined : teamsApproval(facts, teams, after(opinions, check))
      const known = failed.get(check.name)
      if (known === undefined) failed.set(check.name, [{ stack, waived }])
      else known.push({ stack, waived })
    }
  return failed
}

/** The verdicts that an apply goes past. */
export const waiversOf = (facts: PullFacts, taken: Taken | undefined): Waiver[] =>
  [...failedVerdicts(facts, taken)].flatMap(([check, verdicts]) =>
    verdicts.flatMap(({ stack, waived }) =>
      waived?.by === undefined ? [] : [{ check, stack, login: waived.by.login, team: waived.team }],
    ),
  )
