import type { Lock } from '../api/locks.ts'
import { shortId } from '../parts/text/short-id.ts'
import { listed } from '../parts/words.ts'

type Holder = { pr_number?: number | undefined; run_id?: string | undefined }

/** `#42`, or the run that holds it where no pull request does. */
export const holderOf = ({ pr_number: pr, run_id: run }: Holder): string => {
  if (pr !== undefined) return `#${pr}`
  return run === undefined ? 'a run' : `run ${shortId(run)}`
}

/** `#45 and #51`, with how many there are besides those that are named; empty where nobody waits. */
export const waitersOf = ({ waiting = [], waiting_total: total }: Pick<Lock, 'waiting' | 'waiting_total'>): string => {
  const named = waiting.slice(0, 3).map(({ pr_number: pr }) => `#${pr}`)
  const more = total - named.length
  return listed(more > 0 && named.length > 0 ? [...named, `${more} more`] : named, 4)
}

/** What the holder does, after its name: `is closed`, `applies`. */
export const holderDoes = ({ pr_state: state, run_status: status }: Pick<Lock, 'pr_state' | 'run_status'>): string => {
  if (state === 'closed' || state === 'merged') return state
  return status === 'applying' ? 'applies' : ''
}

type Said = { happens: string[]; staysAsItIs: string[] }

const whatStays = (lock: Lock): string => {
  const holder = holderOf(lock)
  if (lock.state === 'held.claimed') return `${holder} has changed nothing here.`
  if (lock.pr_state === 'closed') {
    return `What ${holder} applied stays. It was closed without a merge, so the next plan of the default branch takes it back.`
  }
  return `What ${holder} applied stays.`
}

/** What releasing a lock does, to whom, and what it does not. `age` is how long it has been held. */
export const releaseWords = (lock: Lock, { age, force }: { age: string | undefined; force: boolean }): Said => {
  const holder = holderOf(lock)
  const waiters = waitersOf(lock)
  const isOne = lock.waiting_total === 1
  return {
    happens: [
      `The lock on ${lock.stack_key} that ${holder} has held${age === undefined ? '' : ` for ${age}`} is released.`,
      waiters === ''
        ? 'Nobody waits for it; whoever asks first may take it.'
        : `${waiters} may then take it, with ${isOne ? 'its' : 'their'} next apply.`,
      ...(lock.run_status === 'applying'
        ? [`The apply of ${holder} is under way: another one could begin beside it.`]
        : []),
      ...(lock.pr_number === undefined
        ? []
        : [`${holder} gets a comment${force ? ', which asks to look at the state lock of the tool' : ''}.`]),
      'The reason is kept in the audit log, with your name.',
    ],
    staysAsItIs: [
      whatStays(lock),
      'The state lock of the tool is not touched.',
      'No job is stopped, and nothing is applied or undone.',
    ],
  }
}

/** A lock as a sentence, to be sent to somebody: who holds it, since when, who waits. Times in UTC. */
export const lockSentence = (lock: Lock): string => {
  const { stack_key: key, repo, taken_at: at } = lock
  const does = holderDoes(lock)
  const waiters = waitersOf(lock)
  const holder = `${holderOf(lock)}${does === '' ? '' : ` (${does})`}`
  const waits = waiters === '' ? 'nobody waits' : `${waiters} ${lock.waiting_total === 1 ? 'waits' : 'wait'}`
  return `The lock on ${key} in ${repo} is held by ${holder}${at === undefined ? '' : ` since ${at}`}; ${waits}.`
}
