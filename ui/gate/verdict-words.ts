import type { Gate } from '../api/gate.ts'

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
  check: 'Checks',
  lock: 'Locks',
  in_flight: 'Other applies',
}

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`

/** The gate's answer as one sentence, for the head of its checklist. */
export const verdictSentence = ({ allowed, failures, waves = [], decided_at }: Gate): string => {
  const stacks = waves.reduce((sum, wave) => sum + wave.length, 0)
  const size = `${count(stacks, 'stack', 'stacks')} in ${count(waves.length, 'wave', 'waves')}`
  if (decided_at !== undefined) return stacks === 0 ? 'The apply was let through' : `Let through an apply of ${size}`
  if (!allowed) return `Would be refused: ${count(failures.length, 'reason', 'reasons')}`
  return stacks === 0 ? 'Would let an apply through' : `Would let through an apply of ${size}`
}
