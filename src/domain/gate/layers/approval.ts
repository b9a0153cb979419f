import { shortSha } from '#domain/run-report.ts'
import type { PullFacts } from '../facts.ts'
import type { Judge } from '../judge.ts'
import { listed } from '../listed.ts'
import { teamOf } from '../people.ts'
import { evidenceOf, type Opinion, opinionsOf } from '../reviews.ts'
import { type Demanded, objectionsTo } from '../rules/demanded.ts'
import type { OneOf, Requirements } from '../rules/requirements.ts'
import { isOfAll, placeText } from '../rules/rule-ref.ts'
import { teamsApproval } from '../rules/teams-approval.ts'
import { off, unknown, unlessObjected } from '../verdict.ts'
import { noPolicy } from './config.ts'

const lacking = (
  head: string,
  { value: needed, by }: Requirements['approvals'],
  opinions: readonly Opinion[],
): Demanded => {
  const count = opinions.filter(({ worth }) => worth === 'counts').length
  const open = opinions.filter(({ worth }) => worth === 'unknown').length
  const others = opinions.filter(({ worth }) => worth !== 'counts').map(({ text }) => text)
  const why = others.length === 0 ? '' : `; not counted: ${listed(others)}`
  const rule = isOfAll(by) ? '' : ` (${placeText(by, 'approvals')})`
  return {
    by,
    objection: {
      verdict: count + open >= needed ? 'unknown' : 'fail',
      name: 'approvals',
      what: `${count} of ${needed} needed ${needed === 1 ? 'approval' : 'approvals'} of the head commit ${shortSha(head)}${rule}${why}`,
      next: `Ask somebody with push permission other than the author to approve ${shortSha(head)}`,
      could: { act: 'approve', people: needed - count, logins: [], teams: [] },
    },
  }
}

/** One clause is asked of many groups of stacks: what is said of it is found once. */
const lackingTeams = (
  facts: PullFacts,
  clauses: readonly OneOf[],
  opinions: readonly Opinion[],
  known: Map<string, Demanded[]>,
): Demanded[] =>
  clauses.flatMap((clause) => {
    const before = known.get(clause.by.place) ?? lackingTeam(facts, clause, opinions)
    known.set(clause.by.place, before)
    return before
  })

const lackingTeam = (facts: PullFacts, { teams, by }: OneOf, opinions: readonly Opinion[]): Demanded[] => {
  const of = teams.map((slug) => teamOf(facts.owner, slug))
  const approval = teamsApproval(facts, of, opinions)
  if (approval.by !== undefined) return []
  const { verdict, unclear, next, could } = approval
  const what = `No member of ${listed(of)} approved ${shortSha(facts.pull.headSha)} (${placeText(by, 'approve_teams')})${unclear}`
  return [{ by, objection: { verdict, name: 'approve_teams', what, next, could } }]
}

const standing = (opinions: readonly Opinion[]) => ({
  opinions,
  counted: opinions.filter(({ worth }) => worth === 'counts').length,
  known: new Map<string, Demanded[]>(),
})

/**
 * Enough people with push permission approved the head commit, and a member of each team that has to: an approval covers what was
 * read, not what came later.
 */
export const judgeApproval: Judge = (facts, policy, taken) => {
  if (policy === undefined || taken === undefined) return unknown(noPolicy, opinionsOf(facts, false).map(evidenceOf))
  const { demands } = taken
  const [any, withoutPusher] = [opinionsOf(facts, false), opinionsOf(facts, true)]
  const [ofAny, ofOthers] = [standing(any), standing(withoutPusher)]
  const standingFor = ({ last_push: asked }: Requirements) => (asked === undefined ? ofAny : ofOthers)
  const needed = Math.max(...demands.map(({ requirements }) => requirements.approvals.value))
  if (needed === 0 && demands.every(({ requirements }) => requirements.approve_teams.length === 0))
    return off('No approval is required (apply.approvals: 0)')
  const shown = demands.some(({ requirements }) => requirements.last_push !== undefined) ? withoutPusher : any
  const count = shown.filter(({ worth }) => worth === 'counts').length
  const objections = objectionsTo(taken, (requirements) => {
    const { opinions, counted, known } = standingFor(requirements)
    return [
      ...(counted < requirements.approvals.value
        ? [lacking(facts.pull.headSha, requirements.approvals, opinions)]
        : []),
      ...lackingTeams(facts, requirements.approve_teams, opinions, known),
    ]
  })
  return unlessObjected(
    `${count} of ${needed} needed approvals of ${shortSha(facts.pull.headSha)}`,
    shown.map(evidenceOf),
    objections,
  )
}
