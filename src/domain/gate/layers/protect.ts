import { shortSha } from '#domain/run-report.ts'
import type { PullFacts } from '../facts.ts'
import type { Judge } from '../judge.ts'
import { listed, listedStacks } from '../listed.ts'
import { teamOf } from '../people.ts'
import { opinionsOf } from '../reviews.ts'
import { placeText } from '../rules/rule-ref.ts'
import type { Guarded } from '../rules/take-rules.ts'
import { teamsApproval } from '../rules/teams-approval.ts'
import { type Evidence, type Objection, unknown, unlessObjected } from '../verdict.ts'
import { noPolicy } from './config.ts'

type Group = { first: Guarded; all: Guarded[] }

/** By the rule that protects them, in the order of the rules. */
const byRule = (guarded: readonly Guarded[]): Group[] => {
  const groups = new Map<string, Group>()
  for (const one of guarded) {
    const known = groups.get(one.by.place)
    if (known === undefined) groups.set(one.by.place, { first: one, all: [one] })
    else known.all.push(one)
  }
  return [...groups.values()]
}

const whatIsLost = (all: readonly Guarded[]): string => {
  const addresses = [...new Set(all.flatMap((one) => one.addresses))]
  const unsure = all.filter((one) => one.unsure).map(({ stack }) => stack)
  const parts = [
    ...(addresses.length > 0 ? [listed(addresses, 5)] : []),
    ...(unsure.length > 0 ? [`what is not known of ${listed(unsure, 3)}, whose plans list only part of it`] : []),
  ]
  return parts.join(', and ')
}

const evidenceOf = ({ stack, runId, addresses, unsure }: Guarded, holds: boolean): Evidence[] => {
  const of = { holds, stacks: [stack] }
  const run = runId === undefined ? {} : { run_id: runId }
  return [
    ...(addresses.length === 0
      ? []
      : [{ ...of, ...run, text: `${stack} destroys or replaces ${listed(addresses, 5)}`, addresses }]),
    ...(unsure ? [{ ...of, text: `${stack} destroys or replaces what its plan does not list` }] : []),
  ]
}

/** Addresses of one stack are facts that the page shows beside the plan; of a thousand stacks nobody reads them. */
const shownStacks = 50

const judgeRule = (
  facts: PullFacts,
  { first, all }: Group,
  lastPush: boolean,
): { objections: Objection[]; evidence: Evidence[] } => {
  const teams = first.teams.map((slug) => teamOf(facts.owner, slug))
  const approval = teamsApproval(facts, teams, opinionsOf(facts, lastPush))
  const evidence = all.slice(0, shownStacks).flatMap((one) => evidenceOf(one, approval.by !== undefined))
  if (approval.by !== undefined) {
    const { login } = approval.by
    const text = `${login} of ${approval.team} approved ${shortSha(facts.pull.headSha)}`
    return { objections: [], evidence: [...evidence, { holds: true, text, login, sha: facts.pull.headSha }] }
  }
  const stacks = [...new Set(all.map(({ stack }) => stack))].sort()
  const { verdict, unclear, next, could } = approval
  const does = stacks.length === 1 ? 'destroys or replaces' : 'destroy or replace'
  const what = `${listedStacks(stacks)} ${does} ${whatIsLost(all)} (${placeText(first.by, 'protect')}), and no member of ${listed(teams)} approved ${shortSha(facts.pull.headSha)}${unclear}`
  return { objections: [{ verdict, name: 'protected', what, next, stacks, rule: first.by, could }], evidence }
}

/** Nothing protected is destroyed or replaced, or a member of the teams that may let it go approved the head commit. */
export const judgeProtect: Judge = (facts, policy, taken) => {
  if (policy === undefined || taken === undefined) return unknown(noPolicy)
  if (taken.guarded.length === 0) return unlessObjected('Nothing protected is destroyed or replaced')
  const lastPush = taken.demands.some(({ requirements }) => requirements.last_push !== undefined)
  const judged = byRule(taken.guarded).map((group) => judgeRule(facts, group, lastPush))
  return unlessObjected(
    'Who may let protected resources go has approved it',
    judged.flatMap(({ evidence }) => evidence),
    judged.flatMap(({ objections }) => objections),
  )
}
