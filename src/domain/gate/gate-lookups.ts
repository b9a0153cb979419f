import type { AskedFacts } from './evaluate-gate.ts'
import type { Membership } from './facts.ts'
import { teamOf } from './people.ts'
import { approversOf } from './reviews.ts'
import { rulesTaken, stacksAsked, type Taken } from './rules/take-rules.ts'
import { overridesOf } from './waivers.ts'
import { exceptedTeams } from './windows.ts'

/** What the code host is still to be asked, nothing twice: users' permissions and team memberships. */
export type GateLookups = { permissions: string[]; memberships: Omit<Membership, 'member'>[] }

type Planned = Pick<AskedFacts, 'policy' | 'owner' | 'plan' | 'stacks'>

/** The teams of the lines that cover the changed paths. */
const owningTeams = ({ codeOwners }: AskedFacts): string[] => {
  const owners = codeOwners?.covered.flatMap(({ line }) => line.owners) ?? []
  return owners.flatMap((owner) => (owner.kind === 'team' ? [owner.team] : []))
}

/** The teams that may waive what failed on the stacks of the apply. */
const waivingTeams = (facts: Planned): string[] => {
  const overrides = overridesOf(facts)
  if (overrides.size === 0) return []
  const failed = stacksAsked(facts).flatMap(({ checks }) => checks.filter(({ status }) => status === 'fail'))
  return [...new Set(failed.map(({ name }) => name))].flatMap((name) => overrides.get(name) ?? [])
}

/** The teams of which a member has to approve, by the rules that the stacks take. */
const approvingTeams = (facts: Planned, taken: Taken | undefined): string[] => {
  const { demands = [], guarded = [] } = taken ?? {}
  const lists = new Set(guarded.map(({ teams }) => teams))
  for (const { requirements } of demands) for (const { teams } of requirements.approve_teams) lists.add(teams)
  return [...teamsOf(facts, lists), ...waivingTeams(facts)]
}

/** Each once, however many stacks take a rule that names them. */
const teamsOf = ({ owner }: Planned, lists: ReadonlySet<readonly string[]>): string[] =>
  [...new Set([...lists].flat())].map((slug) => teamOf(owner, slug))

/** Which facts a verdict depends on, as far as the policy and the plan say: others cost no request. */
export type FactsWanted = { reviews: boolean; pusher: boolean; owners: boolean }

/** What is to be read of the pull request before people's permissions are. An invalid policy refuses by itself. */
export const factsWanted = (facts: Planned): FactsWanted => {
  const taken = rulesTaken(facts)
  const asked = taken?.demands.map(({ requirements }) => requirements) ?? []
  const owners = asked.some(({ code_owners: by }) => by !== undefined)
  const reviews =
    owners || asked.some(({ approvals }) => approvals.value > 0) || approvingTeams(facts, taken).length > 0
  const counts = reviews || asked.some(({ four_eyes: by }) => by !== undefined)
  return { reviews, owners, pusher: counts && asked.some(({ last_push: by }) => by !== undefined) }
}

/** The teams of which the person who asks may have to be a member. */
const askingTeams = (facts: AskedFacts, taken: Taken | undefined): string[] => {
  const lists = new Set<readonly string[]>()
  for (const { requirements } of taken?.demands ?? []) for (const { teams } of requirements.teams) lists.add(teams)
  const named = facts.how === 'on_merge' ? [] : teamsOf(facts, lists)
  const isTimed = facts.policy.ok && facts.at !== undefined && facts.policy.config.apply.windows.length > 0
  const excepted =
    isTimed && facts.policy.ok
      ? exceptedTeams(facts.policy.config.apply.windows, facts.owner, new Date(facts.at ?? 0))
      : []
  return [...named, ...excepted]
}

/**
 * The permissions and memberships that the gate's verdict depends on. Approvers of an older commit and bots are left out: a
 * review that cannot count costs no request.
 */
export const gateLookups = (facts: AskedFacts): GateLookups => {
  const taken = rulesTaken(facts)
  const asked = taken?.demands.map(({ requirements }) => requirements)
  const asker = facts.requester === undefined ? [] : [facts.requester]
  const wanted = factsWanted(facts)
  const pushersNever = asked?.every(({ last_push: by }) => by !== undefined) ?? false
  const approvers = asked === undefined || wanted.reviews ? approversOf(facts, pushersNever) : []
  const owning = wanted.owners ? owningTeams(facts) : []
  const judging = [...new Set([...owning, ...approvingTeams(facts, taken)])].sort()
  const memberships = [
    ...asker.flatMap((login) => [...new Set(askingTeams(facts, taken))].map((team) => ({ team, login }))),
    ...approvers.flatMap((login) => judging.map((team) => ({ team, login }))),
  ]
  const once = <T>(items: readonly T[], nameOf: (item: T) => string): T[] => [
    ...new Map(items.map((item) => [nameOf(item).toLowerCase(), item])).values(),
  ]
  return {
    permissions: once([...(facts.how === 'on_merge' ? [] : asker), ...approvers], (login) => login),
    memberships: once(memberships, ({ team, login }) => `${team} ${login}`),
  }
}
