import type { Gate } from '../api/gate.ts'
import { many } from '../parts/words.ts'

type Layer = Gate['facts'][number]['layer']

/** The layers of the gate as headings; what each asks is in docs/gate.md. */
export const layerWords: Record<Layer, string> = {
  config: 'Configuration',
  mode: 'Applying by comment',
  permission: 'Permission to push',
  approval: 'Approvals',
  mergeable: 'Open and mergeable',
  base: 'Base branch',
  code_owners: 'Code owners',
  four_eyes: 'Four eyes',
  plan: 'Plan',
  protect: 'Protected resources',
  check: 'Checks',
  lock: 'Locks',
  in_flight: 'Other applies',
  window: 'Windows',
}

/** `5 stacks in 2 waves`. */
export const sizeWords = ({ waves = [] }: Gate): string => {
  const stacks = waves.reduce((sum, wave) => sum + wave.length, 0)
  return `${many(stacks, 'stack')} in ${many(waves.length, 'wave')}`
}

/** The gate's answer as one sentence, for the head of its checklist. */
export const verdictSentence = (gate: Gate): string => {
  const { allowed, failures, waves = [], decided_at } = gate
  if (decided_at !== undefined) {
    return waves.length === 0 ? 'The apply was let through' : `Let through an apply of ${sizeWords(gate)}`
  }
  if (!allowed) return `Would be refused: ${many(failures.length, 'reason')}`
  return waves.length === 0 ? 'Would let an apply through' : `Would let through an apply of ${sizeWords(gate)}`
}

const told: [Gate['facts'][number]['verdict'], string, string][] = [
  ['fail', 'refuses', 'refuse'],
  ['pending', 'waits', 'wait'],
  ['unknown', 'not known', 'not known'],
  ['pass', 'passes', 'pass'],
  ['off', 'not asked', 'not asked'],
]

/** How many layers found what: `1 refuses · 7 pass · 3 not asked`. */
export const tallySentence = ({ facts }: Gate): string =>
  told
    .flatMap(([verdict, one, several]) => {
      const count = facts.filter((layer) => layer.verdict === verdict).length
      return count === 0 ? [] : [many(count, one, several)]
    })
    .join(' · ')

/** The comment that a sentence of the service says to type: `svc plan`. Undefined where it says none. */
export const commandIn = (text: string): string | undefined => /`(\w+ [^`]+)`/.exec(text)?.[1]
