import { RunEndOutcome } from '#machines/events.ts'
import {
  type Action,
  begin,
  type EventOf,
  type Kind,
  parseEvent,
  type Snapshot,
  stateOf,
  transit,
} from '#machines/index.ts'

/** A stack of the reference system: its place in the graph, and the keys that it depends on, near and far. */
export type Place = { key: string; wave: number; needs: string[]; reaches: Set<string> }

export type Address = { kind: 'run' } | { kind: 'stack' | 'lock'; key: string } | { kind: 'dispatch'; wave: number }
export type Event = EventOf<Kind>

/**
 * The smallest possible runtime: machines in a map, messages in a list. One run with its stacks, their locks and a dispatch
 * a wave; messages between machines are delivered in order, and a refused message leaves nothing behind.
 */
export type System = {
  mode: 'plan' | 'apply'
  places: Place[]
  machines: ReadonlyMap<string, Snapshot>
  /** Every event that a machine took, by machine: replayed, it must yield the same snapshot. */
  journal: ReadonlyMap<string, Event[]>
  armed: ReadonlySet<string>
}

export const runId = 'run-1'
const open = new Set(['pending', 'planning', 'applying'])
export const broken = new Set(['failed', 'unknown', 'unconfirmed'])

const nameOf = (to: Address): string =>
  to.kind === 'run' ? 'run' : `${to.kind} ${to.kind === 'dispatch' ? to.wave : to.key}`
const kindOf = (name: string): Kind => name.split(' ')[0] as Kind

export const snapshotOf = <K extends Kind>(system: System, to: Address & { kind: K }): Snapshot<K> | undefined =>
  system.machines.get(nameOf(to)) as Snapshot<K> | undefined
export const stackState = (system: System, key: string): string =>
  stateOf(snapshotOf(system, { kind: 'stack', key }) as Snapshot)
export const isOpen = (system: System, key: string): boolean => open.has(stackState(system, key))
export const runState = (system: System): string => stateOf(snapshotOf(system, { kind: 'run' }) as Snapshot)

const inputs = (system: Pick<System, 'mode' | 'places'>, manual: boolean): Map<string, Snapshot> => {
  const { mode, places } = system
  return new Map<string, Snapshot>([
    ['run', begin('run', { mode, trigger: manual ? 'manual' : 'comment', manual })],
    ...places.map(({ key, wave }) => [`stack ${key}`, begin('stack', { mode, wave })] as const),
    ...places.map(({ key }) => [`lock ${key}`, begin('lock', {})] as const),
  ])
}

export const build = (mode: 'plan' | 'apply', places: Place[], manual: boolean): System => ({
  mode,
  places,
  machines: inputs({ mode, places }, manual),
  journal: new Map(),
  armed: new Set(),
})

/** The target of an action. */
const tells = (system: System, from: Address, action: Action): [Address, Event][] => {
  const all = (chosen: (place: Place) => boolean, event: (place: Place) => Event): [Address, Event][] =>
    system.places.filter(chosen).map((place) => [{ kind: 'stack', key: place.key }, event(place)])
  const started = (): Event => ({ type: 'stack.started', mode: system.mode })
  const broke = ({ reaches }: Place): string[] =>
    [...reaches].filter((key) => broken.has(stackState(system, key))).sort()
  switch (action.type) {
    case 'tellRun':
      return [[{ kind: 'run' }, action.params.event]]
    case 'tellLock':
      return from.kind === 'stack'
        ? [
            [
              { kind: 'lock', key: from.key },
              { ...action.params.event, run_id: runId },
            ],
          ]
        : []
    case 'startStacks':
      return all(() => true, started)
    case 'startWave':
      return all(({ wave }) => wave === action.params.wave, started)
    case 'supersedeStacks':
      return all(
        ({ key }) => isOpen(system, key),
        () => ({ type: 'run.superseded' }),
      )
    case 'skipRest':
      return all(
        ({ key }) => stackState(system, key) === 'pending',
        () => ({ type: 'stack.skipped' }),
      )
    case 'blockDependents':
      return all(
        (place) => ['pending', 'blocked'].includes(stackState(system, place.key)) && broke(place).length > 0,
        (place) => ({ type: 'stack.blocked', by: broke(place) }),
      )
    case 'tellOpenStacks':
      return all(
        ({ key, wave }) =>
          from.kind === 'dispatch' ? wave === from.wave && isOpen(system, key) : stackState(system, key) === 'applying',
        () => action.params.event,
      )
    case 'finishRun':
      if (system.mode === 'plan') return []
      return system.places.map(({ key }) => [
        { kind: 'lock', key },
        { type: 'run.finished', run_id: runId, outcome: RunEndOutcome.parse(stackState(system, key)) },
      ])
    default:
      return []
  }
}

type Draft = { machines: Map<string, Snapshot>; journal: Map<string, Event[]>; armed: Set<string> }

const perform = (draft: Draft, name: string, action: Action): void => {
  if (action.type === 'scheduleTimer') draft.armed.add(`${name} ${action.params.name}`)
  if (action.type === 'cancelTimer') draft.armed.delete(`${name} ${action.params.name}`)
  if (action.type === 'dispatchWave')
    draft.machines.set(`dispatch ${action.params.wave}`, begin('dispatch', { wave: action.params.wave, part: 1 }))
}

/** What a step did, for invariants about a moment rather than a state. */
export type Moment = { name: string; event: Event; from: string; to: string; system: System }

/** The system after the message and all its consequences, and each moment on the way; or why the message was refused. */
export const send = (system: System, to: Address, event: Event): { system: System; moments: Moment[] } | string => {
  const draft: Draft = {
    machines: new Map(system.machines),
    journal: new Map(system.journal),
    armed: new Set(system.armed),
  }
  const now: System = { ...system, ...draft }
  const moments: Moment[] = []
  const waiting: [Address, Event][] = [[to, event]]
  for (let message = waiting.shift(); message; message = waiting.shift()) {
    const name = nameOf(message[0])
    const before = draft.machines.get(name)
    if (!before) continue
    const kind = kindOf(name)
    const then = transit(kind, before, parseEvent(kind, message[1]))
    if (then.refusal) return then.refusal.code
    if (!then.changed && then.actions.length === 0) continue
    draft.machines.set(name, then.snapshot)
    draft.journal.set(name, [...(draft.journal.get(name) ?? []), message[1]])
    moments.push({
      name,
      event: message[1],
      from: stateOf(before),
      to: stateOf(then.snapshot),
      system: { ...now, machines: new Map(draft.machines) },
    })
    for (const action of then.actions) {
      perform(draft, name, action)
      waiting.push(...tells(now, message[0], action))
    }
  }
  return { system: now, moments }
}

/** Whether each machine's journal, replayed from its first snapshot, yields the current snapshot. */
export const replayed = (system: System, first: System): Map<string, Snapshot> =>
  new Map(
    [...system.machines].map(([name, snapshot]) => {
      const kind = kindOf(name)
      const wave = Number(name.split(' ')[1])
      const start = first.machines.get(name) ?? (kind === 'dispatch' ? begin('dispatch', { wave, part: 1 }) : snapshot)
      const events = system.journal.get(name) ?? []
      return [name, events.reduce((at, event) => transit(kind, at, parseEvent(kind, event)).snapshot, start)]
    }),
  )
