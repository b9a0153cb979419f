import { shortSha } from '#domain/run-report.ts'
import type { PullFacts } from '../facts.ts'
import { listed } from '../listed.ts'
import { isMember, sameLogin } from '../people.ts'
import type { Opinion } from '../reviews.ts'
import type { Could } from '../verdict.ts'

/** Who of some teams approved, and in which team they are; or what is said of it that nobody did. */
export type TeamsApproval =
  | { by: Opinion; team: string }
  | { by: undefined; verdict: 'fail' | 'unknown'; unclear: string; next: string; could: Could }

/** People of some teams, as far as their memberships were read, who did not write the pull request. */
const membersKnown = ({ memberships, pull }: PullFacts, teams: readonly string[]): string[] => [
  ...new Set(
    memberships
      .filter(
        ({ team, login, member }) =>
          member === true && teams.includes(team.toLowerCase()) && !sameLogin(login, pull.author),
      )
      .map(({ login }) => login),
  ),
]

/**
 * Whether one of some people's opinions that count is a team member's. Teams are `organisation/slug`; any one is enough. A membership
 * that could not be read is not taken for one.
 */
export const teamsApproval = (
  facts: PullFacts,
  teams: readonly string[],
  opinions: readonly Opinion[],
): TeamsApproval => {
  const open: string[] = []
  for (const opinion of opinions) {
    if (opinion.worth === 'none') continue
    for (const team of teams) {
      const member = isMember(facts.memberships, team, opinion.login)
      if (member === true && opinion.worth === 'counts') return { by: opinion, team }
      if (member === null || member === true) open.push(opinion.login)
    }
  }
  const names = [...new Set(open)]
  return {
    by: undefined,
    verdict: names.length > 0 ? 'unknown' : 'fail',
    unclear: names.length === 0 ? '' : `; whether the approval of ${listed(names)} is one is not known`,
    next: `Ask a member of ${listed(teams)} other than the author to approve ${shortSha(facts.pull.headSha)}`,
    could: { act: 'approve', people: 1, logins: membersKnown(facts, teams), teams: [...teams] },
  }
}
