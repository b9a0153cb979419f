/** Why a stack is affected, in the order in which responses list them (docs/interface.md, 'RunStack'). */
export const reasons = ['changed', 'watch_path', 'module', 'reads_state', 'dependent', 'requested'] as const
export type Reason = (typeof reasons)[number]

/*
 * Reasons as bits, in the same order: resolution counts with these. A module has MODULE if its own code or that of a module it
 * uses changed, READS_STATE or DEPENDENT if it reads the state of an affected stack for its users.
 */
export const CHANGED = 1
export const WATCH_PATH = 2
export const MODULE = 4
export const READS_STATE = 8
export const DEPENDENT = 16
export const REQUESTED = 32

export const reasonsOf = (bits: number): Reason[] => reasons.filter((_, i) => (bits & (1 << i)) !== 0)

/** Adds a reason to a node's. */
export const mark = (bits: Uint8Array, node: number, reason: number): void => {
  bits[node] = (bits[node] ?? 0) | reason
}
