import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'
import { type Kind, kinds } from './kinds.ts'
import { lateVerdicts, planVerdicts, waveVerdicts } from './verdicts.ts'

/** An action as a statechart names it: one of the table of actions, or the machine's own assignment. */
export type NamedAction = { type: string; params?: Record<string, unknown> }

export type DescribedTransition = {
  event: string
  guard?: string
  /** Full name of the next state; absent if the state stays. */
  target?: string
  actions: NamedAction[]
}

export type DescribedState = {
  /** Full name, e.g. `applying.draining`. */
  name: string
  /** The inner state that is entered first, if there are inner states. */
  initial?: string
  /** Nothing is waited for any more. */
  final: boolean
  entry: NamedAction[]
  exit: NamedAction[]
  /** In the order in which they are tried; an event that no inner state handles is tried in the outer one. */
  on: DescribedTransition[]
}

export type Description = {
  kind: Kind
  version: number
  initial: string
  /** Tried if no state handles the event. */
  on: DescribedTransition[]
  states: DescribedState[]
}

const verdicts: Record<string, Record<string, string>> = { plan: planVerdicts, wave: waveVerdicts, late: lateVerdicts }

type Reference = string | { type: string; params?: unknown }

const guardText = (guard: Reference): string => {
  if (typeof guard === 'string') return guard
  return verdicts[guard.type]?.[String(guard.params)] ?? guard.type
}

/** Parameters that are computed in the transition are left out: they are not data. */
const action = (reference: Reference): NamedAction => {
  if (typeof reference === 'string') return { type: reference }
  const { type, params } = reference
  return typeof params === 'object' && params !== null ? { type, params: { ...params } } : { type }
}

const fullName = (node: AnyStateNode): string => node.path.join('.')

const transition = (definition: AnyTransitionDefinition): DescribedTransition => {
  const target = definition.target?.[0]
  return {
    event: definition.eventType,
    ...(definition.guard && { guard: guardText(definition.guard as Reference) }),
    ...(target && { target: fullName(target) }),
    actions: (definition.actions as Reference[]).map(action),
  }
}

const transitionsOf = (node: AnyStateNode): DescribedTransition[] =>
  [...node.transitions.values()].flat().map(transition)

const initialOf = (node: AnyStateNode): string | undefined => node.initial.target?.[0]?.key

const statesOf = (node: AnyStateNode): DescribedState[] =>
  Object.values(node.states).flatMap((state: AnyStateNode) => {
    const initial = Object.keys(state.states).length > 0 ? initialOf(state) : undefined
    const described = {
      name: fullName(state),
      ...(initial && { initial }),
      final: state.tags.includes('final'),
      entry: (state.entry as Reference[]).map(action),
      exit: (state.exit as Reference[]).map(action),
      on: transitionsOf(state),
    }
    return [described, ...statesOf(state)]
  })

/** A kind of machine as data, JSON throughout: for the API, the documents and the console. */
export const describe = (kind: Kind): Description => {
  const { machine, version } = kinds[kind]
  const { root }: AnyStateMachine = machine
  return { kind, version, initial: initialOf(root) ?? '', on: transitionsOf(root), states: statesOf(root) }
}
