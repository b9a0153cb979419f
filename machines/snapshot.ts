import type { AnyMachineSnapshot, AnyStateMachine, StateValue } from 'xstate'
import { z } from 'zod'
import { type ContextOf, type Kind, kinds, type ValueOf } from './kinds.ts'
import { type Stored, type Upcasters, upcast } from './upcasters.ts'

/** A machine at rest: plain JSON both, as the row stores it. */
export type Snapshot<K extends Kind = Kind> = { value: ValueOf<K>; context: ContextOf<K> }

/** XState's own form of our snapshots, kept beside them so that consecutive transitions resolve the states only once. */
const resolved = new WeakMap<object, AnyMachineSnapshot>()

const dotted = (value: StateValue): string => {
  if (typeof value === 'string') return value
  const [[state, inner] = []] = Object.entries(value)
  return state === undefined || inner === undefined ? '' : `${state}.${dotted(inner)}`
}

/** The full name of the state, e.g. `applying.draining`. */
export const stateOf = (snapshot: { value: StateValue }): string => dotted(snapshot.value)

/** The public status: the name of the top-level state, e.g. `applying`. */
export const statusOf = ({ value }: { value: StateValue }): string =>
  typeof value === 'string' ? value : (Object.keys(value)[0] ?? '')

/** Assignments clear a field by `undefined`, which JSON would drop: dropping it here keeps a snapshot equal to its row. */
const plain = (context: Record<string, unknown>): Record<string, unknown> =>
  Object.values(context).includes(undefined)
    ? Object.fromEntries(Object.entries(context).filter(([, value]) => value !== undefined))
    : context

export const toSnapshot = <K extends Kind>(live: AnyMachineSnapshot): Snapshot<K> => {
  const snapshot = { value: live.value, context: plain(live.context) } as Snapshot<K>
  resolved.set(snapshot, live)
  return snapshot
}

const resolve = (machine: AnyStateMachine, snapshot: Snapshot): AnyMachineSnapshot => {
  const live = machine.resolveState(snapshot)
  resolved.set(snapshot, live)
  return live
}

export const toLive = <K extends Kind>(kind: K, snapshot: Snapshot<K>): AnyMachineSnapshot =>
  resolved.get(snapshot) ?? resolve(kinds[kind].machine, snapshot)

const isValue = (value: unknown): value is StateValue =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && Object.values(value).every(isValue))

type Definition = { version: number; upcasters: Upcasters; machine: AnyStateMachine; Context: z.ZodType }

/** What `restore` does for one of the kinds; apart, so that a test can bring a definition with upcasters of its own. */
export const restoreWith = (kind: string, definition: Definition, stored: Stored): Snapshot => {
  const { version, upcasters, machine, Context } = definition
  const { value, context } = upcast(kind, stored, version, upcasters)
  const unknown = `a ${kind} snapshot has the state ${JSON.stringify(value)}, which version ${version} does not know`
  if (!isValue(value)) throw new Error(unknown)
  const parsed = Context.safeParse(context)
  if (!parsed.success)
    throw new Error(`a ${kind} snapshot in state ${dotted(value)} has a bad context:\n${z.prettifyError(parsed.error)}`)
  const snapshot = { value, context: parsed.data } as Snapshot
  let live: AnyMachineSnapshot
  try {
    live = resolve(machine, snapshot)
  } catch (cause) {
    throw new Error(unknown, { cause })
  }
  // XState would complete half a state with its initial one: `applying` alone would quietly become `applying.running`.
  if (dotted(live.value) !== dotted(value)) throw new Error(unknown)
  return snapshot
}

/**
 * A stored snapshot as it may be used now, through the upcasters when an older version stored it. Throws on a newer
 * version, an unknown state or a context that does not fit.
 */
export const restore = <K extends Kind>(kind: K, stored: Stored): Snapshot<K> =>
  restoreWith(kind, kinds[kind], stored) as Snapshot<K>
