import type { RunRow } from '../../api/run-types.ts'
import { holderOf } from '../../locks/lock-words.ts'
import { distanceWords } from '../../parts/time-words.ts'
import { listed } from '../../parts/words.ts'

type Lock = NonNullable<RunRow['lock']>

/** `#45 and #51`; empty where nobody waits. */
export const waitersOf = ({ waiting = [] }: Pick<Lock, 'waiting'>): string =>
  listed(waiting.map(({ pr_number }) => `#${pr_number}`))

type Said = { happens: string[]; staysAsItIs: string[] }

/** What releasing a lock does, to whom, and what it does not. `now` is the service's time in milliseconds. */
export const releaseWords = (row: RunRow, lock: Lock, { now, force }: { now: number; force: boolean }): Said => {
  const holder = holderOf(lock)
  const taken = lock.taken_at === undefined ? '' : ` took ${distanceWords(Date.parse(lock.taken_at), now)}`
  const waiters = waitersOf(lock)
  const comment = force ? ', which asks to look at the state lock of the tool' : ''
  return {
    happens: [
      `The lock on ${row.key} that ${holder}${taken === '' ? ' holds' : taken} is released.`,
      waiters === '' ? 'Nobody waits for it; whoever asks first may take it.' : `${waiters} may then take it.`,
      ...(lock.pr_number === undefined ? [] : [`${holder} gets a comment${comment}.`]),
      ...(row.status === 'applying' ? ['Its apply is under way: another one could begin beside it.'] : []),
      'The reason is kept in the audit log, with your name.',
    ],
    staysAsItIs: ['The state lock of the tool is not touched.', 'No job is stopped, and nothing is applied or undone.'],
  }
}
