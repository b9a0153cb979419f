import type { RunRow } from '../../api/run-types.ts'
import type { RunHead } from '../../live/run-store.ts'
import { listed } from '../../parts/words.ts'

/** What became of a stack that did not end well, in a sentence; undefined where nothing went wrong. */
export const wentWrong = (row: RunRow): string | undefined => {
  switch (row.status) {
    case 'failed':
      return row.exit_code === undefined ? 'It failed.' : `It failed with exit code ${row.exit_code}.`
    case 'unknown':
      return lost(row)
    case 'unconfirmed':
      return 'Its job could not reach the service, so what it did is not confirmed.'
    case 'blocked':
      return 'It was not started, because a stack that it needs did not end well.'
    case 'skipped':
      return 'It was not started: the run ended first.'
    case 'superseded':
      return 'It was cut off: a newer commit came.'
    default:
      return undefined
  }
}

const lost = ({ unknown_reason }: RunRow): string => {
  if (unknown_reason === 'not_picked_up') return 'Nobody saw its end: no job picked it up in time.'
  if (unknown_reason === 'not_reported') return 'Nobody saw its end: who started the run did not report it in time.'
  if (unknown_reason === 'dispatch_refused') return 'Nobody saw its end: the code host did not take the job.'
  return 'Nobody saw its end: its job ended without a report. Its state may be locked still.'
}

/** What a person does about a stack; undefined where nothing need be done. */
export const whatToDo = (row: RunRow, run: RunHead): string | undefined => {
  const isApply = run.mode === 'apply'
  switch (row.status) {
    case 'failed':
      return isApply
        ? 'Fix what failed, then plan again. The locks of this pull request stay held until then.'
        : 'Fix what failed and push, or plan again.'
    case 'unknown':
      return isApply
        ? 'See in the log of its job how far it came, and whether the state is still locked. Then release the lock and plan again.'
        : 'See in the log of its job what happened, then plan again.'
    case 'unconfirmed':
      return 'Run all jobs again, or plan again.'
    case 'blocked':
      return row.blocked_by?.length ? `Fix ${listed(row.blocked_by)} first, then plan again.` : 'Plan again.'
    case 'skipped':
    case 'superseded':
      return 'The next plan has it again.'
    default:
      return undefined
  }
}

/** What a lock's state means (machines/lock.ts), after who holds it. */
export const lockStateWords: Record<NonNullable<NonNullable<RunRow['lock']>['state']>, string> = {
  'held.claimed': 'Its apply has changed nothing yet.',
  'held.changed': 'An apply changed it, or may have, and that is not merged yet.',
  'held.merged': 'The change is merged, and not all of it is applied.',
  'held.orphaned': 'The pull request is closed without a merge, and what was applied of it is still there.',
  'held.manual': 'A manual run holds it.',
}

/** `12 KB`, `340 B`. */
export const bytesWords = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
