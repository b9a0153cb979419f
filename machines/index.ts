import { type Kind, kinds } from './kinds.ts'

/*
 * The four statecharts that drive the service, as pure functions: state and event in, state and named actions out
 * (docs/machines.md draws them). No I/O, no clock, no randomness: the runtime stores the snapshots and does the rest.
 */

export type { Action, Refusal } from './actions.ts'
export type { ContextOf, EventOf, InputOf, Kind } from './kinds.ts'
export { parseEvent, parseInput } from './parse.ts'
export { restore, type Snapshot, stateOf, statusOf } from './snapshot.ts'
export { begin, type Transition, transit } from './transit.ts'

/** The version of each machine, stored with each snapshot. */
export const versionOf: Readonly<Record<Kind, number>> = {
  run: kinds.run.version,
  stack: kinds.stack.version,
  lock: kinds.lock.version,
  dispatch: kinds.dispatch.version,
}
