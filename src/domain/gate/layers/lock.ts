import type { LockFact } from '../facts.ts'
import type { Judge } from '../judge.ts'
import { listedStacks } from '../listed.ts'
import { type Evidence, type Objection, unlessObjected } from '../verdict.ts'

const holderOf = ({ prNumber, runId }: LockFact): string => (prNumber === undefined ? `run ${runId}` : `#${prNumber}`)

type Held = { by: string; first: LockFact; keys: string[] }

/** The locks by holder: pull requests by number, then manual runs. */
const byHolder = (locks: readonly LockFact[]): Held[] => {
  const held = new Map<string, Held>()
  for (const lock of [...locks].sort((a, b) => (a.stackKey < b.stackKey ? -1 : 1))) {
    const by = holderOf(lock)
    const known = held.get(by)
    if (known === undefined) held.set(by, { by, first: lock, keys: [lock.stackKey] })
    else known.keys.push(lock.stackKey)
  }
  const order = ({ first }: Held): number => first.prNumber ?? Number.POSITIVE_INFINITY
  return [...held.values()].sort((a, b) => order(a) - order(b) || (a.by < b.by ? -1 : 1))
}

const objectionTo = ({ by, first, keys }: Held): Objection => ({
  verdict: 'fail',
  name: by,
  what: `${listedStacks(keys)} ${keys.length === 1 ? 'is' : 'are'} locked by ${first.prNumber === undefined ? `the manual ${by}` : `pull request ${by}`}`,
  next:
    first.prNumber === undefined
      ? 'Wait until that run has ended, or have its locks released'
      : `Wait until ${by} is merged or closed, or have its locks released with \`svc unlock\` there`,
  stacks: keys,
})

const evidenceOf = ({ first, keys, by }: Held): Evidence => ({
  holds: false,
  text: `held by ${by}${first.takenAt === undefined ? '' : ` since ${first.takenAt}`}`,
  run_id: first.runId,
  ...(first.prNumber !== undefined && { pr_number: first.prNumber }),
  stacks: keys,
})

/** No stack of the apply is locked by another pull request or by a manual run. Locks of its own pull request do not refuse. */
export const judgeLock: Judge = ({ locks, pull, stacks }) => {
  const asked = stacks === undefined ? undefined : new Set(stacks)
  const others = byHolder(
    locks.filter(({ stackKey, prNumber }) => prNumber !== pull.number && (asked?.has(stackKey) ?? true)),
  )
  return unlessObjected('No other pull request or run holds a lock', others.map(evidenceOf), others.map(objectionTo))
}
