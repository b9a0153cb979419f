/** Why a stack is affected, in the order that responses list them (spec, 'RunStack'). */
export const reasons = ['changed', 'watch_path', 'module', 'reads_state', 'dependent', 'requested'] as const
export type Reason = (typeof reasons)[number]

/*
 * Reasons as bits, in the same order: what resolution counts with. A module has MODULE when its own code or that of a
 * module it uses changed, READS_STATE or DEPENDENT when it reads the state of an affected stack for its users.
 */
export const CHANGED = 1
export const WATCH_PATH = 2
export const MODULE = 4
export const READS_STATE = 8
export const DEPENDENT = 16
export const REQUESTED = 32

export const reasonsOf = (bits: number): Reason[] => reasons.filter((_, i) => (bits & (1 << i)) !== 0)
