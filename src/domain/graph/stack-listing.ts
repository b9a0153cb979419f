import type { Adjacency } from './adjacency.ts'
import type { StackNode } from './graph.ts'
import { type GraphIndex, keyOf } from './graph-index.ts'
import { type Upstream, upstreamsOf } from './upstreams.ts'

/** A stack of a graph as lists show it. */
export type ListedStack = {
  key: string
  node: Pick<StackNode, 'path' | 'instance' | 'workspace' | 'environment' | 'backend' | 'tool' | 'tags'>
  /** Keys of what it depends on over depends_on and reads_state, in order; those of other repositories qualified. */
  dependencies: string[]
  /** The other direction. */
  dependents: string[]
  /** What it depends on in other repositories, through modules too; absent if there is nothing. */
  upstreams?: Upstream[]
}

/** Sorted keys of the stacks at the other ends of a stack's ordering edges. */
const neighbours = (index: GraphIndex, { edgesOf, nodeAt, typeAt }: Adjacency, stack: number): string[] => {
  const keys = new Set<string>()
  const { first, end } = edgesOf(stack)
  for (let edge = first; edge < end; edge += 1) {
    const other = nodeAt(edge)
    if (typeAt(edge) !== 'uses_module' && other < index.stacks.length && other !== stack) keys.add(keyOf(index, other))
  }
  return [...keys].sort()
}

/** The graph's own stacks, in its order, with the keys on both ends of their ordering edges. */
export const stackListing = (index: GraphIndex): ListedStack[] => {
  const upstreams = upstreamsOf(index)
  return index.stacks.flatMap(
    ({ key, path, instance, workspace, environment, backend, tool, tags, external }, stack) => {
      if (external === true) return []
      const beyond = upstreams.get(stack)
      return [
        {
          key,
          node: {
            path,
            ...(instance === undefined ? {} : { instance }),
            ...(workspace === undefined ? {} : { workspace }),
            ...(environment === undefined ? {} : { environment }),
            ...(backend === undefined ? {} : { backend }),
            ...(tool === undefined ? {} : { tool }),
            ...(tags === undefined || tags.length === 0 ? {} : { tags }),
          },
          dependencies: neighbours(index, index.out, stack),
          dependents: neighbours(index, index.into, stack),
          ...(beyond === undefined ? {} : { upstreams: beyond }),
        },
      ]
    },
  )
}
