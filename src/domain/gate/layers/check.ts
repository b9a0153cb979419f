import type { ReportedCheck } from '#domain/run-report.ts'
import { isOpen } from '#domain/run-status.ts'
import type { PlanStack, PullFacts } from '../facts.ts'
import type { Judge } from '../judge.ts'
import { listed, listedStacks } from '../listed.ts'
import { isOfAll, placeText, type RuleRef } from '../rules/rule-ref.ts'
import { stacksAsked, type Taken } from '../rules/take-rules.ts'
import type { TeamsApproval } from '../rules/teams-approval.ts'
import { type Evidence, type Objection, unlessObjected } from '../verdict.ts'
import { type FailedVerdict, failedVerdicts } from '../waivers.ts'

/** One check: the stacks by its verdict on them, and its summary for the first one that it fails. */
type Tally = Record<ReportedCheck['status'], string[]> & { waived: FailedVerdict[]; says?: string }

const tallied = (stacks: readonly PlanStack[], failures: ReadonlyMap<string, FailedVerdict[]>): Map<string, Tally> => {
  const tallies = new Map<string, Tally>()
  const waivedOn = new Map(
    [...failures].map(([name, all]) => [name, new Set(all.filter(isWaived).map(({ stack }) => stack))]),
  )
  for (const { key, checks } of stacks) {
    for (const { name, status, summary } of checks) {
      const tally = tallies.get(name) ?? {
        pass: [],
        warn: [],
        fail: [],
        waived: (failures.get(name) ?? []).filter(isWaived),
      }
      tallies.set(name, tally)
      if (status === 'fail' && waivedOn.get(name)?.has(key)) continue
      tally[status].push(key)
      if (status === 'fail' && summary !== undefined && summary !== '') tally.says ??= summary
    }
  }
  return tallies
}

const isWaived = ({ waived }: FailedVerdict): boolean => waived?.by !== undefined

/** What is said of who may waive it: the gravest of all its verdicts, as they may have been given at different times. */
const waiverOf = (verdicts: readonly FailedVerdict[]): Exclude<TeamsApproval, { team: string }> | undefined => {
  const open = verdicts.flatMap(({ waived }) => (waived?.by === undefined && waived !== undefined ? [waived] : []))
  return open.find(({ verdict }) => verdict === 'fail') ?? open[0]
}

const failed = (name: string, { fail, says }: Tally, waiver: ReturnType<typeof waiverOf>): Objection => {
  const said = says === undefined ? '' : `: ${says.endsWith('.') ? says.slice(0, -1) : says}`
  const fix = `Fix what ${name} names and push`
  return {
    verdict: waiver?.verdict ?? 'fail',
    name,
    what: `${listedStacks(fail)} failed the check ${name}${said}${waiver?.unclear ?? ''}`,
    next:
      waiver === undefined
        ? fix
        : `${fix}, or, to waive it, ask a member of ${listed(waiver.could.teams)} to approve after its verdict`,
    stacks: fail,
    ...(waiver === undefined ? {} : { could: waiver.could }),
  }
}

const absent = (name: string, keys: readonly string[], { plan }: PullFacts, by: RuleRef): Objection => {
  const isMoving = plan !== null && isOpen(plan.status)
  const rule = isOfAll(by) ? '' : ` (${placeText(by, 'checks')})`
  return {
    verdict: isMoving ? 'pending' : 'fail',
    name,
    what: `${listedStacks(keys)} ${keys.length === 1 ? 'has' : 'have'} no verdict of the required check ${name}${rule}`,
    next: isMoving
      ? 'Wait until every stack is planned, then ask again'
      : `See that the plan workflow reports ${name} for every stack, then re-run all jobs`,
    stacks: [...keys],
    ...(isOfAll(by) ? {} : { rule: by }),
  }
}

const withoutPlan = (name: string): Objection => ({
  verdict: 'unknown',
  name,
  what: `There is no plan that the required check ${name} could have run on`,
  next: 'It runs with the plan of the head commit',
})

const evidenceOf = (name: string, { pass: passed, warn, fail, waived }: Tally): Evidence[] => [
  {
    holds: fail.length === 0,
    text: `${name}: ${passed.length} passed, ${warn.length} with a warning, ${fail.length} failed`,
    check: name,
    ...(fail.length > 0 && { stacks: fail }),
  },
  ...(waived.length === 0 ? [] : [waivedText(name, waived)]),
]

const waivedText = (name: string, waived: readonly FailedVerdict[]): Evidence => {
  const stacks = waived.map(({ stack }) => stack).sort()
  const people = waived.flatMap(({ waived: by }) => (by?.by === undefined ? [] : [`${by.by.login} of ${by.team}`]))
  return {
    holds: true,
    text: `${name}: failed on ${listedStacks(stacks).replace(/^S/, 's')}, waived by ${listed([...new Set(people)])}`,
    check: name,
    stacks,
  }
}

/** A check that is required of some stacks, and by whom: stacks of the plan without a verdict of it. */
type Lacking = { by: RuleRef; keys: string[] }

/** Of each check that some stack needs, in whatever rule: the stacks without a verdict, for who asks. */
const lackingOf = (stacks: readonly PlanStack[], { demands }: Taken): Map<string, Map<string, Lacking>> => {
  const byKey = new Map(
    demands.flatMap(({ stacks: keys, requirements }) => keys.map((key) => [key, requirements] as const)),
  )
  const ofAllStacks = demands[0]?.requirements
  const lacking = new Map<string, Map<string, Lacking>>()
  for (const { key, checks } of stacks) {
    const { checks: required } = byKey.get(key) ?? ofAllStacks ?? { checks: new Map<string, RuleRef>() }
    if (required.size === 0) continue
    const reported = new Set(checks.map((check) => check.name))
    for (const [name, by] of required) {
      if (reported.has(name)) continue
      const known = lacking.get(name) ?? new Map<string, Lacking>()
      lacking.set(name, known)
      const one = known.get(by.place)
      if (one === undefined) known.set(by.place, { by, keys: [key] })
      else one.keys.push(key)
    }
  }
  return lacking
}

/** No named check failed but for what is waived, required or not, and each required one has a verdict on every stack that needs it. */
export const judgeCheck: Judge = (facts, _, taken) => {
  const stacks = stacksAsked(facts).toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const failures = failedVerdicts(facts, taken)
  const tallies = tallied(stacks, failures)
  const required = new Set(taken?.demands.flatMap(({ requirements }) => [...requirements.checks.keys()]))
  const lacking = taken === undefined ? new Map<string, Map<string, Lacking>>() : lackingOf(stacks, taken)
  const names = [...new Set([...tallies.keys(), ...required])].sort()
  const objections = names.flatMap((name) => {
    const tally = tallies.get(name)
    return [
      ...(tally !== undefined && tally.fail.length > 0
        ? [failed(name, tally, waiverOf(failures.get(name) ?? []))]
        : []),
      ...(required.has(name) && facts.plan === null ? [withoutPlan(name)] : []),
      ...[...(lacking.get(name)?.values() ?? [])].map(({ by, keys }) => absent(name, keys, facts, by)),
    ]
  })
  const evidence = [...tallies].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([name, tally]) => evidenceOf(name, tally))
  const summary =
    tallies.size === 0
      ? 'No named check has reported, and none is required'
      : [...tallies.values()].some(({ waived }) => waived.length > 0)
        ? 'What failed is waived'
        : 'No named check failed'
  return unlessObjected(summary, evidence, objections)
}
