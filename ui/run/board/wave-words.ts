import type { StackStatus } from '#api/runs/run-stack.ts'
import { durationWords } from '../../parts/time-words.ts'
import { brokenStatuses, isOpen, openStatuses } from '../../status/phases.ts'
import { type StatusLook, stackLook, stackStatuses } from '../../status/table.ts'
import type { Phase } from '../state/phase.ts'
import { sumOf, type WaveTally } from '../state/tally.ts'

/** What the head of a wave shows. */
export type WaveHead = {
  look: StatusLook
  /** It is being applied. */
  isNow: boolean
  /** One line below its name. */
  says: string
}

/** A wave's icon is that of its gravest status, unless it is still to come; its line says how far it is. */
export const waveHead = (tally: WaveTally, phase: Phase): WaveHead => {
  const look = stackLook(statusOf(tally), phase.mode)
  return { look, isNow: phase.wave === tally.wave, says: lineOf(tally, phase) }
}

const statusOf = ({ counts }: WaveTally): StackStatus => {
  const running = (['applying', 'planning'] as const).find((status) => counts[status])
  return running ?? stackStatuses.find((status) => counts[status]) ?? 'pending'
}

const lineOf = (tally: WaveTally, phase: Phase): string => {
  const { counts, rows, wave } = tally
  const open = sumOf(counts, openStatuses)
  const broken = brokenWords(tally, phase)
  if (phase.wave !== undefined && wave > phase.wave)
    return phase.drains === undefined ? `waits for wave ${wave}` : 'does not start'
  if (open > 0 && !phase.isOver) {
    return `${open} of ${rows.length} ${(counts.pending ?? 0) === open ? 'to begin' : 'still running'}`
  }
  if (broken !== '') return broken
  if (sumOf(counts, ['blocked', 'skipped', 'superseded', 'pending']) === rows.length) return 'did not start'
  const took = tookOf(tally)
  return took === undefined ? 'done' : `done · ${durationWords(took)}`
}

const brokenWords = ({ counts }: WaveTally, { mode }: Phase): string =>
  brokenStatuses
    .filter((status) => counts[status])
    .map((status) => `${counts[status]} ${stackLook(status, mode).word}`)
    .join(', ')

/** From the first stack that began to the last that ended, in milliseconds. */
const tookOf = ({ rows }: WaveTally): number | undefined => {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { status, started_at, finished_at } of rows) {
    if (isOpen(status) || started_at === undefined || finished_at === undefined) continue
    from = Math.min(from, Date.parse(started_at))
    to = Math.max(to, Date.parse(finished_at))
  }
  return from > to ? undefined : to - from
}
