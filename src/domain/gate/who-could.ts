import type { Could, GateFailure } from './verdict.ts'

/**
 * The smallest set of people who could take away what people can: those who approve, by name and as a member of a team each, and how
 * many others who may push; and of which teams the person who asks has to be, if it has to be somebody else.
 */
export type WhoCould = { approve: { logins: string[]; teams: string[]; others: number }; ask?: { teams: string[] } }

/** Of so many lists the smallest set is found; of more, one that is hardly larger. */
const mostExact = 12

type Candidate = { name: string; kind: 'login' | 'team'; takes: ReadonlySet<number> }

const candidatesOf = (lists: readonly Could[]): Candidate[] => {
  const byName = new Map<string, Candidate & { takes: Set<number> }>()
  const note = (kind: Candidate['kind'], name: string, list: number): void => {
    const id = `${kind} ${name.toLowerCase()}`
    const known = byName.get(id) ?? { name, kind, takes: new Set<number>() }
    byName.set(id, known)
    known.takes.add(list)
  }
  // people who are known come first: who is named is asked, and a team is many
  for (const [at, { logins }] of lists.entries()) for (const login of logins) note('login', login, at)
  for (const [at, { teams }] of lists.entries()) for (const team of teams) note('team', team, at)
  return [...byName.values()]
}

const maskOf = ({ takes }: Candidate): number => [...takes].reduce((mask, at) => mask | (1 << at), 0)

/** By the number of people: all that one of them takes away, then two, until nothing is left. */
const smallest = (candidates: readonly Candidate[], lists: number): Candidate[] => {
  const whole = 2 ** lists - 1
  const reached = new Map<number, Candidate[]>([[0, []]])
  const byMask = [...new Map(candidates.map((one) => [maskOf(one), one] as const).reverse())]
  for (const [mask, chosen] of reached) {
    if (mask === whole) return chosen
    for (const [more, one] of byMask) if (!reached.has(mask | more)) reached.set(mask | more, [...chosen, one])
  }
  return []
}

const greedy = (candidates: readonly Candidate[], lists: number): Candidate[] => {
  const left = new Set(Array.from({ length: lists }, (_, at) => at))
  const chosen: Candidate[] = []
  while (left.size > 0) {
    const gain = ({ takes }: Candidate): number => [...takes].filter((at) => left.has(at)).length
    const best = candidates.reduce((most, one) => (gain(one) > gain(most) ? one : most))
    if (gain(best) === 0) return chosen
    chosen.push(best)
    for (const at of best.takes) left.delete(at)
  }
  return chosen
}

const covering = (lists: readonly Could[]): Candidate[] => {
  const candidates = candidatesOf(lists)
  if (candidates.length === 0) return []
  return lists.length > mostExact ? greedy(candidates, lists.length) : smallest(candidates, lists.length)
}

const namesOf = (chosen: readonly Candidate[], kind: Candidate['kind']): string[] =>
  chosen.flatMap((one) => (one.kind === kind ? [one.name] : [])).sort()

const isNamed = ({ logins, teams }: Could): boolean => logins.length + teams.length > 0

/** Undefined where nobody could: nothing that is in the way goes by anybody's word. */
export const whoCould = (failures: readonly GateFailure[]): WhoCould | undefined => {
  const all = failures.flatMap(({ could }) => could ?? [])
  if (all.length === 0) return undefined
  const [approving, asking] = (['approve', 'ask'] as const).map((act) => all.filter((one) => one.act === act))
  const approvers = covering((approving ?? []).filter(isNamed))
  const needed = Math.max(0, ...(approving ?? []).map(({ people }) => people))
  const askers = covering((asking ?? []).filter(isNamed))
  return {
    approve: {
      logins: namesOf(approvers, 'login'),
      teams: namesOf(approvers, 'team'),
      others: Math.max(0, needed - approvers.length),
    },
    ...((asking ?? []).length === 0 ? {} : { ask: { teams: namesOf(askers, 'team') } }),
  }
}

const joined = (parts: readonly string[]): string =>
  [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter((part) => part !== '').join(' and ')

/** `approvals by dora, a member of acme/sre and 1 other with push permission; asked for by a member of acme/ops`. */
export const whoCouldText = ({ approve: { logins, teams, others }, ask }: WhoCould): string => {
  const people = [
    ...logins,
    ...teams.map((team) => `a member of ${team}`),
    ...(others > 0 ? [`${others} ${logins.length + teams.length > 0 ? 'more ' : ''}with push permission`] : []),
  ]
  const asker = ask === undefined ? [] : [ask.teams.length === 0 ? 'somebody else' : `a member of ${joined(ask.teams)}`]
  return [
    ...(people.length === 0 ? [] : [`approved by ${joined(people)}`]),
    ...asker.map((who) => `asked for by ${who}`),
  ].join('; ')
}
