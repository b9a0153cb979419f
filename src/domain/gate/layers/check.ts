import type { ReportedCheck } from '#domain/run-report.ts'
import { isOpen } from '#domain/run-status.ts'
import type { Judge, PlanStack, PullFacts } from '../facts.ts'
import { listedStacks } from '../listed.ts'
import { type Evidence, type Objection, unlessObjected } from '../verdict.ts'
import { stacksAsked } from './plan.ts'

/** One check: the stacks by its verdict on them, and its summary for the first one that it fails. */
type Tally = Record<ReportedCheck['status'], string[]> & { says?: string }

const tallied = (stacks: readonly PlanStack[]): Map<string, Tally> => {
  const tallies = new Map<string, Tally>()
  for (const { key, checks } of [...stacks].sort((a, b) => (a.key < b.key ? -1 : 1))) {
    for (const { name, status, summary } of checks) {
      const tally = tallies.get(name) ?? { pass: [], warn: [], fail: [] }
      tallies.set(name, tally)
      tally[status].push(key)
      if (status === 'fail' && summary !== undefined && summary !== '') tally.says ??= summary
    }
  }
  return tallies
}

const failed = (name: string, { fail, says }: Tally): Objection => ({
  verdict: 'fail',
  name,
  what: `${listedStacks(fail)} failed the check ${name}${says === undefined ? '' : `: ${says.endsWith('.') ? says.slice(0, -1) : says}`}`,
  next: `Fix what ${name} names and push`,
  stacks: fail,
})

const absent = (name: string, keys: readonly string[], { plan }: PullFacts): Objection => {
  const isMoving = plan !== null && isOpen(plan.status)
  return {
    verdict: isMoving ? 'pending' : 'fail',
    name,
    what: `${listedStacks(keys)} ${keys.length === 1 ? 'has' : 'have'} no verdict of the required check ${name}`,
    next: isMoving
      ? 'Wait until every stack is planned, then ask again'
      : `See that the plan workflow reports ${name} for every stack, then re-run all jobs`,
    stacks: [...keys],
  }
}

const withoutPlan = (name: string): Objection => ({
  verdict: 'unknown',
  name,
  what: `There is no plan that the required check ${name} could have run on`,
  next: 'It runs with the plan of the head commit',
})

const evidenceOf = (name: string, { pass: passed, warn, fail }: Tally): Evidence => ({
  holds: fail.length === 0,
  text: `${name}: ${passed.length} passed, ${warn.length} with a warning, ${fail.length} failed`,
  check: name,
  ...(fail.length > 0 && { stacks: fail }),
})

/** No named check failed, required or not, and each required one has a verdict on every stack of the apply. */
export const judgeCheck: Judge = (facts, policy) => {
  const stacks = stacksAsked(facts)
  const tallies = tallied(stacks)
  const required = new Set(policy?.checks)
  const names = [...new Set([...tallies.keys(), ...required])].sort()
  const objections = names.flatMap((name) => {
    const tally = tallies.get(name)
    const lacks = stacks.filter(({ checks }) => !checks.some((check) => check.name === name)).map(({ key }) => key)
    return [
      ...(tally !== undefined && tally.fail.length > 0 ? [failed(name, tally)] : []),
      ...(required.has(name) && facts.plan === null ? [withoutPlan(name)] : []),
      ...(required.has(name) && lacks.length > 0 ? [absent(name, lacks.sort(), facts)] : []),
    ]
  })
  const evidence = [...tallies].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, tally]) => evidenceOf(name, tally))
  const summary = tallies.size === 0 ? 'No named check has reported, and none is required' : 'No named check failed'
  return unlessObjected(summary, evidence, objections)
}
