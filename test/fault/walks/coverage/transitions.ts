import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'
import { describe } from '#machines/describe.ts'
import type { EventOf, Kind, Snapshot } from '#machines/index.ts'
import { kinds } from '#machines/kinds.ts'
import { toLive } from '#machines/snapshot.ts'

export const allKinds = Object.keys(kinds) as Kind[]

/** `run applying.running: stack.settled #3`: the third that is tried there for the event. */
const nameOf = (kind: Kind, node: AnyStateNode, event: string, index: number): string =>
  `${kind} ${node.path.join('.') || '(any)'}: ${event} #${index + 1}`

const nodesOf = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(nodesOf)]

/** Every transition of every machine by its definition, which XState returns when it takes one. */
const named: ReadonlyMap<AnyTransitionDefinition, string> = new Map(
  allKinds.flatMap((kind) => {
    const { root }: AnyStateMachine = kinds[kind].machine
    return nodesOf(root).flatMap((node) =>
      [...node.transitions].flatMap(([event, definitions]) =>
        definitions.map((definition, index) => [definition, nameOf(kind, node, event, index)] as const),
      ),
    )
  }),
)

/** The names of all transitions of all machines. */
export const allTransitions: readonly string[] = [...named.values()]

/** The names of all states that a machine can rest in. */
export const allStates: readonly string[] = allKinds.flatMap((kind) =>
  describe(kind).states.flatMap(({ name, initial }) => (initial ? [] : [`${kind} ${name}`])),
)

/** The transition that a machine takes for an event; undefined if the event means nothing to it in that state. */
export const transitionTaken = <K extends Kind>(
  kind: K,
  snapshot: Snapshot<K>,
  event: EventOf<K>,
): string | undefined => {
  const machine: AnyStateMachine = kinds[kind].machine
  const [taken] = machine.getTransitionData(toLive(kind, snapshot), event) as AnyTransitionDefinition[]
  return taken && named.get(taken)
}
