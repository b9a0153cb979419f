import { type DescribedTransition, type Description, describe } from '#machines/describe.ts'
import { type Kind, restore, type Snapshot, stateOf, versionOf } from '#machines/index.ts'

export type { Kind } from '#machines/index.ts'

/** A kind of machine as data. */
export const describeMachine = (kind: Kind): Description => describe(kind)

type Stored = { version: number; snapshot: { value: unknown; context: unknown } }

/** A stored machine: its snapshot in the current version, and the events it would accept. */
export const inspect = (kind: Kind, { version, snapshot }: Stored) => {
  return inspected(kind, restore(kind, { version, ...snapshot }))
}

/** The same of a machine that was replayed, which is in the present version. */
export const inspectReplayed = (kind: Kind, snapshot: Snapshot) => ({
  version: versionOf[kind],
  ...inspected(kind, snapshot),
})

const inspected = (kind: Kind, snapshot: Snapshot) => {
  const context: Record<string, unknown> = snapshot.context
  return { value: snapshot.value, context, events: acceptedIn(describe(kind), stateOf(snapshot)) }
}

/** Whether a transition does anything: not if it swallows or refuses the event. */
const leadsOn = ({ target, actions }: DescribedTransition): boolean =>
  (target !== undefined || actions.length > 0) && !actions.some(({ type }) => type === 'refuse')

/**
 * Events that some transition would take, from the state outwards, as the machine tries them: a transition without a guard
 * ends the search, whether or not it does anything. Guards are taken as true, since most of them depend on the event's
 * contents.
 */
export const acceptedIn = ({ states, on }: Description, state: string): string[] => {
  const parts = state.split('.')
  const names = parts.map((_, depth) => parts.slice(0, parts.length - depth).join('.'))
  const tried = [...names.flatMap((name) => states.find((one) => one.name === name)?.on ?? []), ...on]
  const candidates = Map.groupBy(tried, ({ event }) => event)
  return [...candidates].flatMap(([event, transitions]) => {
    const last = transitions.findIndex(({ guard }) => guard === undefined)
    return transitions.slice(0, last < 0 ? undefined : last + 1).some(leadsOn) ? [event] : []
  })
}
