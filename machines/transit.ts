import { type AnyStateMachine, initialTransition } from 'xstate'
import { type Action, actions, Refusal } from './actions.ts'
import { type EventOf, type InputOf, type Kind, kinds } from './kinds.ts'
import { parseEvent } from './parse.ts'
import { type Snapshot, stateOf, toLive, toSnapshot } from './snapshot.ts'
import { type Named, stepOf } from './step.ts'

/** The result of an event on a snapshot. A refusal comes alone: the snapshot is the one from before. */
export type Transition<K extends Kind = Kind> = {
  snapshot: Snapshot<K>
  /** The value or the context differs from before. */
  changed: boolean
  actions: Action[]
  refusal?: Refusal
}

const steps = {
  run: stepOf(kinds.run.machine),
  stack: stepOf(kinds.stack.machine),
  lock: stepOf(kinds.lock.machine),
  dispatch: stepOf(kinds.dispatch.machine),
}

const isAction = (name: string): name is keyof typeof actions => Object.hasOwn(actions, name)

const parsed = ({ type, params }: Named): Action => {
  if (!isAction(type)) throw new Error(`a machine named the action ${type}, which is not in the table of actions`)
  // the parameters are parsed by the schema of this very action, which the types cannot follow through its name
  return { type, params: actions[type].params.parse(params ?? {}) } as Action
}

const same = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
  )
}

/**
 * The first snapshot of a machine, after an event if it takes one before it is stored: one that asks for nothing. Throws if the
 * input does not fit its kind, or the event does more than move it.
 */
export const begin = <K extends Kind>(kind: K, input: InputOf<K>, took?: EventOf<K>): Snapshot<K> => {
  const { machine, open } = kinds[kind]
  const first = toSnapshot<K>(initialTransition<AnyStateMachine>(machine, open(input))[0])
  if (took === undefined) return first
  const { snapshot, changed, actions, refusal } = transit(kind, first, took)
  if (refusal || !changed || actions.length > 0) throw new Error(`a new ${kind} does not merely take ${took.type}`)
  return snapshot
}

/**
 * The one step of every machine: what `event` makes of `snapshot`, and what is to be done about it. Pure. An event that means
 * nothing in this state changes nothing; an event that the kind does not know, or a malformed one, throws.
 */
export const transit = <K extends Kind>(kind: K, snapshot: Snapshot<K>, event: EventOf<K>): Transition<K> => {
  const [after, named] = steps[kind](toLive(kind, snapshot), parseEvent(kind, event))
  const refused = named.find(({ type }) => type === 'refuse')
  if (refused) return { snapshot, changed: false, actions: [], refusal: Refusal.parse(refused.params) }
  const next = toSnapshot<K>(after)
  const changed = stateOf(next) !== stateOf(snapshot) || !same(next.context, snapshot.context)
  return { snapshot: changed ? next : snapshot, changed, actions: named.map(parsed) }
}
