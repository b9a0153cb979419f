import { type DescribedTransition, type Description, describe } from '#machines/describe.ts'
import { type Kind, restore, stateOf } from '#machines/index.ts'

export type { Kind } from '#machines/index.ts'

/** A kind of machine as data. */
export const describeMachine = (kind: Kind): Description => describe(kind)

type Stored = { version: number; snapshot: { value: unknown; context: unknown } }

/** What a stored machine is: its snapshot in the present version, and the events that it would accept. */
export const inspect = (kind: Kind, { version, snapshot }: Stored) => {
  const { value, context } = restore(kind, { version, ...snapshot })
  return { value, context: context as Record<string, unknown>, events: acceptedIn(describe(kind), stateOf({ value })) }
}

/** What a transition does: nothing for one that swallows the event, and for one that refuses it. */
const leadsOn = ({ target, actions }: DescribedTransition): boolean =>
  (target !== undefined || actions.length > 0) && !actions.some(({ type }) => type === 'refuse')

/**
 * Events that some transition would take, from the state outwards as the machine tries them: one without a guard ends the
 * search, whether it leads on or not. Guards are taken for true, since most of them ask what the event carries.
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
