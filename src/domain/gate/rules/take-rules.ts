import type { RepoConfig } from '#domain/config/config-file.ts'
import { stackConfigInSteps } from '#domain/config/stack-config.ts'
import { finish, type Steps } from '../../steps.ts'
import type { AskedFacts, PlanStack } from '../facts.ts'
import { type AddressMatcher, compileAddressGlobs } from './address-globs.ts'
import { rulesOfStack } from './match-rules.ts'
import { protectedIn, whenHolds } from './plan-conditions.ts'
import { type Requirements, type Rule, requirementsOfAll, withRule } from './requirements.ts'
import type { RuleRef } from './rule-ref.ts'

/** Stacks that take the same rules, and what an apply of them needs. */
export type Demand = { requirements: Requirements; stacks: readonly string[] }

/** A stack whose plan destroys or replaces something that a rule protects, or may do so. */
export type Guarded = {
  by: RuleRef
  teams: readonly string[]
  stack: string
  runId?: string
  addresses: string[]
  unsure: boolean
}

/** What the rules ask of an apply. Without any stack that is what is asked of all. */
export type Taken = { demands: readonly Demand[]; guarded: readonly Guarded[] }

/**
 * Rules of all demands together. Each layer judges each of them; a plan whose stacks take ten rules in thirty combinations has 300,
 * while 15 globs of a letter each make a demand of their own of each of 5,000 stacks.
 */
const mostTaken = 10_000

/** The rules make more demands of the stacks of an apply than are judged. */
export class TooManyDemands extends Error {}

const refOf = ({ name }: Rule, place: number): RuleRef => ({
  place: `apply.rules[${place}]`,
  ...(name === undefined ? {} : { name }),
})

type Read = { rule: Rule; by: RuleRef; isMeant: AddressMatcher | undefined; isProtected: AddressMatcher | undefined }

const matcherOf = (globs: readonly string[] | undefined): AddressMatcher | undefined =>
  globs === undefined ? undefined : compileAddressGlobs(globs)

function* readRules(rules: readonly Rule[]): Steps<Read[]> {
  const read: Read[] = []
  for (const [place, rule] of rules.entries()) {
    const [isMeant, isProtected] = [matcherOf(rule.when?.resources), matcherOf(rule.protect)]
    read.push({ rule, by: refOf(rule, place), isMeant, isProtected })
    yield
  }
  return read
}

function* isTaken({ rule: { when }, isMeant }: Read, { summary }: PlanStack): Steps<boolean> {
  return when === undefined || (yield* whenHolds(when, isMeant, summary))
}

function* guardedBy({ rule, by, isProtected }: Read, { key, runId, summary }: PlanStack): Steps<Guarded[]> {
  const found = isProtected === undefined ? undefined : yield* protectedIn(summary, isProtected)
  if (found === undefined) return []
  return [{ by, teams: rule.approve_teams ?? [], stack: key, ...(runId === undefined ? {} : { runId }), ...found }]
}

const requirementsOf = (config: RepoConfig, taken: readonly Read[]): Requirements =>
  taken.reduce((before, { rule, by }) => withRule(before, rule, by), requirementsOfAll(config.apply))

/** In steps: the addresses of 2,000 plans may be a million, and each may have to be matched against thousands of globs. */
function* takeAll(config: RepoConfig, stacks: readonly PlanStack[]): Steps<Taken> {
  const read = yield* readRules(config.apply.rules)
  const placesOf = yield* rulesOfStack(config)
  const groups = new Map<string, { taken: Read[]; stacks: string[] }>()
  const guarded: Guarded[] = []
  for (const stack of stacks) {
    const taken: Read[] = []
    let name = ''
    for (const place of yield* placesOf(stack)) {
      const rule = read[place]
      if (rule === undefined || !(yield* isTaken(rule, stack))) continue
      taken.push(rule)
      name += ` ${place}`
      guarded.push(...(yield* guardedBy(rule, stack)))
    }
    const known = groups.get(name)
    if (known === undefined) groups.set(name, { taken, stacks: [stack.key] })
    else known.stacks.push(stack.key)
    yield
  }
  const demands: Demand[] = []
  let rules = 0
  for (const { taken, stacks: alike } of groups.values()) {
    rules += taken.length
    if (rules > mostTaken) throw new TooManyDemands()
    demands.push({ requirements: requirementsOf(config, taken), stacks: alike })
    yield
  }
  return { demands, guarded }
}

type Asked = Pick<AskedFacts, 'policy' | 'plan'> & { stacks?: readonly string[] | undefined }

/** The stacks of the plan that the apply includes. */
export const stacksAsked = ({ plan, stacks }: Omit<Asked, 'policy'>): readonly PlanStack[] => {
  if (plan === null || stacks === undefined) return plan?.stacks ?? []
  const asked = new Set(stacks)
  return plan.stacks.filter(({ key }) => asked.has(key))
}

/*
 * What was taken for a plan, which never changes once it is read: the gate asks several times, and only who reads the facts can
 * let others have a turn.
 */
const known = new WeakMap<object, { config: RepoConfig; stacks: AskedFacts['stacks']; taken: Taken }>()

/**
 * The rules that the stacks of an apply take, under a policy that can be read. Their settings are found as well: who applies them asks
 * for those next.
 */
export function* takeRules({ policy, plan, stacks }: Asked): Steps<Taken | undefined> {
  if (!policy.ok) return undefined
  const { config } = policy
  const before = plan === null ? undefined : known.get(plan)
  if (before?.config === config && before.stacks === stacks) return before.taken
  const given = stacksAsked({ plan, stacks })
  for (const { path } of given) if (path !== undefined) yield* stackConfigInSteps(config, path)
  const found = yield* takeAll(config, config.apply.rules.length === 0 ? [] : given)
  const demands =
    found.demands.length > 0 ? found.demands : [{ requirements: requirementsOfAll(config.apply), stacks: [] }]
  const taken = { ...found, demands }
  if (plan !== null) known.set(plan, { config, stacks, taken })
  return taken
}

/** The same at once. */
export const rulesTaken = (asked: Asked): Taken | undefined => finish(takeRules(asked))
