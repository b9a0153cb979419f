import type { Judge } from '../judge.ts'
import { unlessObjected } from '../verdict.ts'

/** No other apply of this pull request is in flight. */
export const judgeInFlight: Judge = ({ otherApply }) => {
  if (otherApply === null) return unlessObjected('No other apply of this pull request is in flight')
  const { runId } = otherApply
  const objection = {
    verdict: 'pending' as const,
    name: runId,
    what: `The apply run ${runId} of this pull request is still in flight`,
    next: 'Wait until it has ended, then ask again',
  }
  return unlessObjected('', [{ holds: false, text: `run ${runId} is in flight`, run_id: runId }], [objection])
}
