import type { RunRow } from '../../api/run-types.ts'
import { listed } from '../../parts/words.ts'
import type { Phase } from '../state/phase.ts'

/** What a card says beside its status: words, or how long it took or has taken so far. */
export type CardNote = { words: string } | { from: string; to?: string | undefined } | undefined

/** What a stack waits for, what kept it from running, or how long it took. */
export const cardNote = (row: RunRow, phase: Phase): CardNote => {
  const { status, started_at: from, finished_at: to } = row
  switch (status) {
    case 'pending':
      return { words: waitsFor(row, phase) }
    case 'blocked':
      return { words: row.blocked_by?.length ? `by ${listed(row.blocked_by, 1)}` : 'by a failed stack' }
    case 'unknown':
      return { words: lost(row) }
    case 'skipped':
      return { words: 'the run ended first' }
    case 'superseded':
      return { words: 'a newer commit came' }
    case 'planning':
    case 'applying':
      return from === undefined ? { words: 'its job was sent' } : { from }
    default:
      return from === undefined || to === undefined ? undefined : { from, to }
  }
}

const waitsFor = ({ wave }: RunRow, phase: Phase): string => {
  if (phase.isOver) return 'never began'
  if (phase.wave === undefined || wave <= phase.wave) return 'waits for its job'
  return phase.drains === undefined ? `waits for wave ${wave}` : 'will be skipped'
}

const lost = ({ unknown_reason }: RunRow): string => {
  if (unknown_reason === 'not_picked_up') return 'never picked up'
  if (unknown_reason === 'not_reported') return 'never reported'
  return unknown_reason === 'dispatch_refused' ? 'was not sent' : 'job gone'
}

type Reason = NonNullable<RunRow['reasons']>[number]

const reasonWords: Record<Reason, string> = {
  changed: 'changed',
  watch_path: 'watch path',
  module: 'module',
  reads_state: 'reads state',
  dependent: 'dependent',
  requested: 'requested',
}

/** The first reason why it is in the run, in the words of the comment. */
export const firstReason = ({ reasons = [] }: RunRow): string | undefined => {
  const [first] = reasons
  return first && reasonWords[first]
}
