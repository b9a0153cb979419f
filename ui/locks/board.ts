import type { Lock } from '../api/locks.ts'

/** Locks that wait for somebody alike. */
export type LockGroup = { name: 'orphaned' | 'waited for' | 'rest'; heading: string; says: string; locks: Lock[] }

const byAge = (a: Lock, b: Lock): number =>
  (a.taken_at ?? '').localeCompare(b.taken_at ?? '') || (a.stack_key < b.stack_key ? -1 : 1)

/** Orphaned ones first, then those that others wait for, then the rest; each the longest held first. Groups without any are left out. */
export const groupsOf = (locks: readonly Lock[]): LockGroup[] => {
  const sorted = locks.toSorted(byAge)
  const orphaned = sorted.filter(({ state }) => state === 'held.orphaned')
  const others = sorted.filter(({ state }) => state !== 'held.orphaned')
  const awaited = others.filter(({ waiting_total: waiting }) => waiting > 0)
  const rest = others.filter(({ waiting_total: waiting }) => waiting === 0)
  const all: LockGroup[] = [
    {
      name: 'orphaned',
      heading: `${orphaned.length} orphaned.`,
      says: 'Their pull request is over and the stacks are not what the default branch says: somebody has to decide.',
      locks: orphaned,
    },
    {
      name: 'waited for',
      heading: `${awaited.length} that others wait for.`,
      says: 'Longest held first.',
      locks: awaited,
    },
    { name: 'rest', heading: `${rest.length} that nobody waits for.`, says: 'Longest held first.', locks: rest },
  ]
  return all.filter((group) => group.locks.length > 0)
}

/** How many there are of each state. */
export const countsOf = (locks: readonly Lock[]): Partial<Record<Lock['state'], number>> => {
  const counts: Partial<Record<Lock['state'], number>> = {}
  for (const { state } of locks) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

/** `19 held · 3 orphaned · others wait for 6`. */
export const sizeOf = (locks: readonly Lock[], isAll: boolean): string => {
  const orphaned = countsOf(locks)['held.orphaned'] ?? 0
  const awaited = locks.filter(({ waiting_total: waiting }) => waiting > 0).length
  const parts = [`${locks.length} held${isAll ? '' : ' the longest, and there are more'}`]
  if (orphaned > 0) parts.push(`${orphaned} orphaned`)
  if (awaited > 0) parts.push(`others wait for ${awaited}`)
  return parts.join(' · ')
}
