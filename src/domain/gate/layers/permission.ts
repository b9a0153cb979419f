import type { ApplyPolicy, Judge, PullFacts } from '../facts.ts'
import { listed } from '../listed.ts'
import { isMember, mayPush, permissionOf, teamOf } from '../people.ts'
import { type Evidence, type Finding, type Objection, unknown, unlessObjected } from '../verdict.ts'

/** The person who asks is unknown: a dry run leaves it open, an apply is refused. */
export const nobodyAsked = (facts: PullFacts): Finding =>
  facts.how === 'dry_run'
    ? unknown('It depends on who asks for the apply')
    : unknown(
        '',
        [],
        [
          {
            verdict: 'unknown',
            name: 'requester',
            what: 'It is not known who asks for the apply',
            next: 'Comment again',
          },
        ],
      )

const judgePush = (facts: PullFacts, login: string): Objection[] => {
  const permission = permissionOf(facts, login)
  if (permission === undefined)
    return [
      {
        verdict: 'unknown',
        name: 'push',
        what: `The permission of ${login} could not be read from the code host`,
        next: 'Try again in a few minutes',
      },
    ]
  if (mayPush(permission)) return []
  return [
    {
      verdict: 'fail',
      name: 'push',
      what: `${login} has ${permission === 'none' ? 'no' : 'only read'} permission on this repository`,
      next: 'Somebody with push permission has to ask for the apply',
    },
  ]
}

const judgeTeams = (facts: PullFacts, login: string, policy: ApplyPolicy): Objection[] => {
  const teams = policy.teams.map((slug) => teamOf(facts.owner, slug))
  const memberships = teams.map((team) => isMember(facts.memberships, team, login))
  if (teams.length === 0 || memberships.includes(true)) return []
  const open = teams.filter((_, at) => memberships[at] === null)
  const one = teams.length === 1 ? 'the team' : 'any of the teams'
  if (open.length > 0)
    return [
      {
        verdict: 'unknown',
        name: 'teams',
        what: `Whether ${login} is in ${listed(open)} could not be read from the code host`,
        next: "Try again in a few minutes; if it persists, the team does not exist or the app may not read the organisation's members",
      },
    ]
  return [
    {
      verdict: 'fail',
      name: 'teams',
      what: `${login} is not in ${one} that may apply: ${listed(teams)}`,
      next: 'A member has to ask for the apply',
    },
  ]
}

const evidenceOf = (facts: PullFacts, login: string, policy: ApplyPolicy | undefined): Evidence[] => {
  const permission = permissionOf(facts, login)
  const team = policy?.teams
    .map((slug) => teamOf(facts.owner, slug))
    .find((each) => isMember(facts.memberships, each, login))
  return [
    ...(permission === undefined ? [] : [{ holds: mayPush(permission), text: `${login} has ${permission}`, login }]),
    ...(team === undefined ? [] : [{ holds: true, text: `${login} is in ${team}`, login }]),
  ]
}

/** The person who asks has push permission, and is in one of the teams if the policy names some. */
export const judgePermission: Judge = (facts, policy) => {
  const { requester } = facts
  if (requester === undefined) return nobodyAsked(facts)
  const objections = [
    ...judgePush(facts, requester),
    ...(policy === undefined ? [] : judgeTeams(facts, requester, policy)),
  ]
  return unlessObjected(`${requester} may apply`, evidenceOf(facts, requester, policy), objections)
}
