import { type AnyActorScope, type AnyStateMachine, createActor } from 'xstate'
import type { z } from 'zod'
import { type Action, actions, Refusal } from './actions.ts'
import { type EventOf, type InputOf, type Kind, kinds } from './kinds.ts'
import { type Snapshot, stateOf, toLive, toSnapshot } from './snapshot.ts'

/** What an event makes of a snapshot. With a refusal there is nothing else: the snapshot is the one from before. */
export type Transition<K extends Kind = Kind> = {
  snapshot: Snapshot<K>
  /** The value or the context differ from before. */
  changed: boolean
  actions: Action[]
  refusal?: Refusal
}

type Named = { type: string; params?: unknown }
type Engine = { scope: AnyActorScope; heard: Named[] }

/*
 * XState's `transition()` builds an inert actor for every call. The machine's own `transition`, public too, takes the scope
 * of one from outside, so that one inert actor a machine does: with event and actions parsed, a transit takes 3.1 µs for
 * stack.settled of a run and 5.5 µs for result.reported of a stack, where transition() alone takes 5.7 and 7.2 (Node 24).
 * test/machines/transit.test.ts holds the two to the same answers. Nothing is ever started, so that a scope keeps no state
 * but the list of actions it has just heard.
 */
const engineOf = (machine: AnyStateMachine): Engine => {
  const heard: Named[] = []
  const self = createActor(machine, { input: {} })
  const nothing = (): void => {}
  const scope: AnyActorScope = {
    self,
    system: self.system,
    id: self.id,
    sessionId: self.sessionId,
    logger: nothing,
    defer: nothing,
    emit: nothing,
    stopChild: nothing,
    actionExecutor: (action) => heard.push(action),
  }
  return { scope, heard }
}

const engines = {
  run: engineOf(kinds.run.machine),
  stack: engineOf(kinds.stack.machine),
  lock: engineOf(kinds.lock.machine),
  dispatch: engineOf(kinds.dispatch.machine),
}

type EventSchema = z.ZodObject<{ type: z.ZodLiteral<string> }>

/** The schema of each event by its type, so that an unknown type is told from a known one that is malformed. */
const schemasOf = ({ options }: { options: readonly unknown[] }): Map<string, EventSchema> =>
  new Map((options as EventSchema[]).map((option) => [option.shape.type.value, option]))

const schemas = {
  run: schemasOf(kinds.run.Event),
  stack: schemasOf(kinds.stack.Event),
  lock: schemasOf(kinds.lock.Event),
  dispatch: schemasOf(kinds.dispatch.Event),
}

const isAction = (name: string): name is keyof typeof actions => Object.hasOwn(actions, name)

const parsed = ({ type, params }: Named): Action => {
  if (!isAction(type)) throw new Error(`a machine named the action ${type}, which is not in the table of actions`)
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

const unchanged = <K extends Kind>(snapshot: Snapshot<K>): Transition<K> => ({ snapshot, changed: false, actions: [] })

/** The first snapshot of a machine. Throws when the input does not fit its kind. */
export const begin = <K extends Kind>(kind: K, input: InputOf<K>): Snapshot<K> => {
  const { machine, open } = kinds[kind]
  return toSnapshot<K>((machine as AnyStateMachine).getInitialSnapshot(engines[kind].scope, open(input)))
}

/**
 * The one step of every machine: what `event` makes of `snapshot`, and what is to be done about it. Pure. An event that is
 * unknown, or that means nothing now, leaves all as it is; a malformed one throws.
 */
export const transit = <K extends Kind>(kind: K, snapshot: Snapshot<K>, event: EventOf<K>): Transition<K> => {
  const schema = schemas[kind].get(event.type)
  if (schema === undefined) return unchanged(snapshot)
  const before = toLive(kind, snapshot)
  const { scope, heard } = engines[kind]
  heard.length = 0
  const after = (kinds[kind].machine as AnyStateMachine).transition(before, schema.parse(event) as EventOf<K>, scope)
  const named = heard.splice(0)
  const refused = named.find(({ type }) => type === 'refuse')
  if (refused) return { ...unchanged(snapshot), refusal: Refusal.parse(refused.params) }
  const next = toSnapshot<K>(after)
  const changed = stateOf(next) !== stateOf(snapshot) || !same(next.context, snapshot.context)
  return { snapshot: changed ? next : snapshot, changed, actions: named.map(parsed) }
}
