/**
 * Why a stack's lock is still held (docs/interface.md, 'LockInfo'): the states of its machine (machines/lock.ts) but for `free`.
 */
export const heldStates = ['held.claimed', 'held.changed', 'held.merged', 'held.orphaned', 'held.manual'] as const
export type HeldState = (typeof heldStates)[number]
