import type { Change } from '../../live/changes.ts'
import type { Shown } from '../../live/run-store.ts'
import { many } from '../../parts/words.ts'
import { runLook, stackLook, stackStatuses } from '../../status/table.ts'
import { runName } from '../run-name.ts'
import { countsOf } from './tally.ts'

/**
 * What is read out of what changed in one moment: the run's own status first, else the one stack, or how many of each status. Undefined
 * where no status changed, and for what was there when the page was opened.
 */
export const changeSentence = (changes: readonly Change[], before: Shown, after: Shown): string | undefined => {
  const { run } = after
  if (!run || !before.run) return undefined
  if (run.status !== before.run.status) return `${runName(run)} is ${runLook(run.status, run.mode).word}.`
  const told = changes.filter((change) => change.before !== undefined && change.before.status !== change.after.status)
  const [first] = told
  if (!first) return undefined
  if (told.length === 1) return `${first.after.key}: ${stackLook(first.after.status, run.mode).word}.`
  const counts = countsOf(told.map((change) => change.after))
  const parts = stackStatuses
    .filter((status) => counts[status])
    .map((status) => `${counts[status]} ${stackLook(status, run.mode).word}`)
  return `${many(told.length, 'stack')} changed: ${parts.join(', ')}.`
}
