import type { Kind } from '#machines/kinds.ts'

/** Column and row of a state, each from 0; rows may be halves. */
type Place = readonly [column: number, row: number]

/**
 * Where the states of each machine stand, from where it begins to where it ends. The only thing about a chart that is chosen by hand: a
 * state without a place is an error when the charts are written, and so is a place without a state.
 */
export const places: Record<Kind, Record<string, Place>> = {
  run: {
    pending: [0, 1.5],
    planning: [1, 0],
    'applying.running': [1, 1.8],
    'applying.holding': [1, 2.6],
    'applying.draining': [1, 3.4],
    'applying.superseding': [1, 4.2],
    planned: [2, 0],
    applied: [2, 1],
    failed: [2, 2],
    unconfirmed: [2, 3],
    superseded: [2, 4],
  },
  stack: {
    pending: [0, 3],
    planning: [1, 1],
    applying: [1, 3],
    unknown: [1, 5],
    planned: [2, 0],
    applied: [2, 1],
    noop: [2, 2],
    failed: [2, 3],
    unconfirmed: [2, 4],
    blocked: [2, 5],
    skipped: [2, 6],
    superseded: [2, 7],
  },
  lock: {
    free: [0, 1.5],
    'held.claimed': [1, 0],
    'held.changed': [1, 1.5],
    'held.manual': [1, 3],
    'held.merged': [2, 0],
    'held.orphaned': [2, 1.5],
  },
  dispatch: {
    requested: [0, 1],
    refused: [0, 2.4],
    awaiting: [1, 0],
    lost: [1, 2.4],
    bound: [2, 1],
    completed: [3, 1],
  },
}
