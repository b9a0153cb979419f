import type { AnyMachineSnapshot, AnyStateMachine, StateValue } from 'xstate'
import { z } from 'zod'
import { type ContextOf, type Kind, kinds, type ValueOf } from './kinds.ts'
import { type Stored, type Upcasters, upcast } from './upcasters.ts'

/** A machine at rest: both fields are plain JSON, as the row stores it. */
export type Snapshot<K extends Kind = Kind> = { value: ValueOf<K>; context: ContextOf<K> }

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

export const toSnapshot = <K extends Kind>({ value, context }: AnyMachineSnapshot): Snapshot<K> =>
  // XState types the states of each single machine, but not of a machine that is only known by its kind
  ({ value, context: plain(context) }) as Snapshot<K>

/** XState's own form of each state of each machine: some forty. */
const states = new Map<string, AnyMachineSnapshot>()

/**
 * XState's own form of a snapshot. All of it but the context follows from the state, so that is made once: for each transition it took
 * XState 5.4 of 24 µs, and 14 KB of garbage. A WeakMap of whole snapshots cost the garbage collector more than it saved.
 */
export const toLive = <K extends Kind>(kind: K, { value, context }: Snapshot<K>): AnyMachineSnapshot => {
  const name = `${kind} ${dotted(value)}`
  const machine: AnyStateMachine = kinds[kind].machine
  let state = states.get(name)
  if (!state) {
    state = machine.resolveState({ value, context: {} })
    states.set(name, state)
  }
  return { ...state, context } as AnyMachineSnapshot
}

const isValue = (value: unknown): value is StateValue =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && Object.values(value).every(isValue))

/**
 * Whether the machine has this state. A partial state does not count: XState would complete `applying` to `applying.running`.
 */
const hasState = (machine: AnyStateMachine, value: StateValue): boolean => {
  try {
    return machine.getStateNodeById(`${machine.id}.${dotted(value)}`).type === 'atomic'
  } catch {
    return false
  }
}

type Definition = { version: number; upcasters: Upcasters; machine: AnyStateMachine; Context: z.ZodType }

/** What `restore` does for one of the kinds; separate, to let a test bring a definition with its own upcasters. */
export const restoreWith = (kind: string, definition: Definition, stored: Stored): Snapshot => {
  const { version, upcasters, machine, Context } = definition
  const { value, context } = upcast(kind, stored, version, upcasters)
  if (!isValue(value) || !hasState(machine, value))
    throw new Error(`a ${kind} snapshot has the state ${JSON.stringify(value)}, which version ${version} does not know`)
  const parsed = Context.safeParse(context)
  if (!parsed.success)
    throw new Error(`a ${kind} snapshot in state ${dotted(value)} has a bad context:\n${z.prettifyError(parsed.error)}`)
  return { value, context: parsed.data } as Snapshot
}

/**
 * A stored snapshot in its present form, through the upcasters if an older version stored it. Throws on a newer version, an
 * unknown state or a context that does not fit.
 */
export const restore = <K extends Kind>(kind: K, stored: Stored): Snapshot<K> =>
  restoreWith(kind, kinds[kind], stored) as Snapshot<K>
