import type { AskedFacts } from './evaluate-gate.ts'
import type { Membership } from './facts.ts'
import { teamOf } from './people.ts'
import { approversOf } from './reviews.ts'

/** What the code host is still to be asked, nothing twice: users' permissions and team memberships. */
export type GateLookups = { permissions: string[]; memberships: Omit<Membership, 'member'>[] }

/** The teams of the lines that cover the changed paths. */
const owningTeams = ({ codeOwners }: AskedFacts): string[] => {
  const owners = codeOwners?.covered.flatMap(({ line }) => line.owners) ?? []
  return [...new Set(owners.flatMap((owner) => (owner.kind === 'team' ? [owner.team] : [])))].sort()
}

/**
 * The permissions and memberships that the gate's verdict depends on. Approvers of an older commit and bots are left out: a
 * review that cannot count costs no request.
 */
export const gateLookups = (facts: AskedFacts): GateLookups => {
  const policy = facts.policy.ok ? facts.policy.config.apply : undefined
  const asker = facts.requester === undefined || facts.how === 'on_merge' ? [] : [facts.requester]
  const countsReviews = policy === undefined || policy.approvals > 0 || policy.code_owners
  const approvers = countsReviews ? approversOf(facts) : []
  const teams = [...new Set(policy?.teams.map((slug) => teamOf(facts.owner, slug)))]
  const owning = policy?.code_owners ? owningTeams(facts) : []
  const wanted = [
    ...asker.flatMap((login) => teams.map((team) => ({ team, login }))),
    ...approvers.flatMap((login) => owning.map((team) => ({ team, login }))),
  ]
  const once = <T>(items: readonly T[], nameOf: (item: T) => string): T[] => [
    ...new Map(items.map((item) => [nameOf(item).toLowerCase(), item])).values(),
  ]
  return {
    permissions: once([...asker, ...approvers], (login) => login),
    memberships: once(wanted, ({ team, login }) => `${team} ${login}`),
  }
}
