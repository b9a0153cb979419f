import type { PullFacts } from '../facts.ts'
import type { Judge } from '../judge.ts'
import { listed } from '../listed.ts'
import { isMember, mayPush, permissionOf, teamOf } from '../people.ts'
import { type Demanded, objectionsTo } from '../rules/demanded.ts'
import type { OneOf } from '../rules/requirements.ts'
import { isOfAll, placeText } from '../rules/rule-ref.ts'
import type { Taken } from '../rules/take-rules.ts'
import { type Could, type Evidence, type Finding, type Objection, unknown, unlessObjected } from '../verdict.ts'

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
      could: { act: 'ask', people: 1, logins: [], teams: [] },
    },
  ]
}

const judgeTeams = (facts: PullFacts, login: string, { teams: named, by }: OneOf): Demanded[] => {
  const teams = named.map((slug) => teamOf(facts.owner, slug))
  const memberships = teams.map((team) => isMember(facts.memberships, team, login))
  if (memberships.includes(true)) return []
  const open = teams.filter((_, at) => memberships[at] === null)
  const one = teams.length === 1 ? 'the team' : 'any of the teams'
  const rule = isOfAll(by) ? '' : ` (${placeText(by, 'teams')})`
  const could: Could = { act: 'ask', people: 1, logins: [], teams }
  if (open.length > 0)
    return [
      {
        by,
        objection: {
          verdict: 'unknown',
          name: 'teams',
          what: `Whether ${login} is in ${listed(open)}${rule} could not be read from the code host`,
          next: "Try again in a few minutes; if it persists, the team does not exist or the app may not read the organisation's members",
          could,
        },
      },
    ]
  return [
    {
      by,
      objection: {
        verdict: 'fail',
        name: 'teams',
        what: `${login} is not in ${one} that may apply: ${listed(teams)}${rule}`,
        next: 'A member has to ask for the apply',
        could,
      },
    },
  ]
}

const evidenceOf = (facts: PullFacts, login: string, taken: Taken | undefined): Evidence[] => {
  const permission = permissionOf(facts, login)
  const clauses = new Map(
    taken?.demands.flatMap(({ requirements }) =>
      requirements.teams.map((clause) => [clause.by.place, clause] as const),
    ),
  )
  const found = [...clauses.values()].flatMap(({ teams: named }) => {
    const teams = named.map((slug) => teamOf(facts.owner, slug))
    return teams.find((each) => isMember(facts.memberships, each, login)) ?? []
  })
  const teams = [...new Set(found)]
  return [
    ...(permission === undefined ? [] : [{ holds: mayPush(permission), text: `${login} has ${permission}`, login }]),
    ...teams.map((team) => ({ holds: true, text: `${login} is in ${team}`, login })),
  ]
}

/** The person who asks has push permission, and is in a team of each list that the policy has for these stacks. */
export const judgePermission: Judge = (facts, _, taken) => {
  const { requester } = facts
  if (requester === undefined) return nobodyAsked(facts)
  // one clause is asked of many groups of stacks
  const known = new Map<string, Demanded[]>()
  const ofTeams =
    taken === undefined
      ? []
      : objectionsTo(taken, ({ teams }) =>
          teams.flatMap((each) => {
            const before = known.get(each.by.place) ?? judgeTeams(facts, requester, each)
            known.set(each.by.place, before)
            return before
          }),
        )
  return unlessObjected(`${requester} may apply`, evidenceOf(facts, requester, taken), [
    ...judgePush(facts, requester),
    ...ofTeams,
  ])
}
