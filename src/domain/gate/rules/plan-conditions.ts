import type { Summary } from '#domain/plan-summary.ts'
import type { Steps } from '#domain/steps.ts'
import type { AddressMatcher } from './address-globs.ts'
import type { Rule } from './requirements.ts'

const lists = {
  adds: 'added',
  changes: 'changed',
  destroys: 'destroyed',
  replaces: 'replaced',
} as const satisfies Partial<Record<keyof Summary, keyof Summary>>

type Kind = keyof typeof lists

const kinds = Object.keys(lists) as Kind[]

/** A count that is smaller than its list was not counted well. */
const countOf = (summary: Summary, kind: Kind): number => Math.max(summary[kind], summary[lists[kind]]?.length ?? 0)

/** A list was cut or left out if it is shorter than its count. */
const isWhole = (summary: Summary, kind: Kind): boolean => (summary[lists[kind]]?.length ?? 0) >= summary[kind]

/** Of an object that is no more in the configuration, a plan's address names the one that is kept until it is destroyed. */
const addressOf = (listed: string): string => (listed.endsWith(')') ? listed.replace(/ \(deposed \w+\)$/, '') : listed)

const listOf = (summary: Summary, kind: Kind): readonly string[] => summary[lists[kind]] ?? []

/** What may lose what is there. */
const lossy = ['destroys', 'replaces'] as const

/** What a plan does to protected resources; undefined if nothing. `unsure`: it may do more than its summary lists. */
export function* protectedIn(
  summary: Summary | undefined,
  isProtected: AddressMatcher,
): Steps<{ addresses: string[]; unsure: boolean } | undefined> {
  if (summary === undefined) return { addresses: [], unsure: true }
  const found = new Set<string>()
  for (const listed of lossy.flatMap((kind) => listOf(summary, kind))) {
    if (isProtected(addressOf(listed))) found.add(listed)
    yield
  }
  const addresses = [...found]
  const unsure = !lossy.every((kind) => isWhole(summary, kind))
  return addresses.length > 0 || unsure ? { addresses, unsure } : undefined
}

/**
 * Whether a plan does what a rule is for: all that its `when` says. What is not known counts as done: a plan without a summary, or a
 * list that was cut.
 */
export function* whenHolds(
  when: NonNullable<Rule['when']>,
  isMeant: AddressMatcher | undefined,
  summary: Summary | undefined,
): Steps<boolean> {
  if (summary === undefined) return true
  const { destroys, replaces, changes, outputs } = when
  if (destroys !== undefined && countOf(summary, 'destroys') < destroys.least) return false
  if (replaces !== undefined && countOf(summary, 'replaces') < replaces.least) return false
  if (changes !== undefined && countOf(summary, 'changes') < changes.least) return false
  if (outputs !== undefined && (summary.output_changes ?? 0) < outputs.least) return false
  if (isMeant === undefined || !kinds.every((kind) => isWhole(summary, kind))) return true
  for (const listed of kinds.flatMap((kind) => listOf(summary, kind))) {
    if (isMeant(addressOf(listed))) return true
    yield
  }
  return false
}
