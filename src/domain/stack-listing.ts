import type { StackNode } from './graph.ts'
import { type Adjacency, type GraphIndex, keyOf, USES_MODULE } from './graph-index.ts'
import { type Upstream, upstreamsOf } from './upstreams.ts'

/** A stack of a graph as lists show it. */
export type ListedStack = {
  key: string
  node: Pick<StackNode, 'path' | 'instance' | 'workspace' | 'environment' | 'backend' | 'tool'>
  /** Keys of what it depends on over depends_on and reads_state, in order; those of other repositories qualified. */
  dependencies: string[]
  /** The other direction. */
  dependents: string[]
  /** What it depends on in other repositories, through modules too; absent where there is nothing. */
  upstreams?: Upstream[]
}

const neighbours = (index: GraphIndex, { start, node, type }: Adjacency, stack: number): string[] => {
  const keys = new Set<string>()
  for (let e = start[stack] as number; e < (start[stack + 1] as number); e += 1) {
    const other = node[e] as number
    if (type[e] !== USES_MODULE && other < index.stacks.length && other !== stack) keys.add(keyOf(index, other))
  }
  return [...keys].sort()
}

/** The graph's own stacks, in its order, with the keys on both ends of their ordering edges. */
export const stackListing = (index: GraphIndex): ListedStack[] => {
  const upstreams = upstreamsOf(index)
  return index.stacks.flatMap(({ key, path, instance, workspace, environment, backend, tool, external }, stack) => {
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
        },
        dependencies: neighbours(index, index.out, stack),
        dependents: neighbours(index, index.into, stack),
        ...(beyond === undefined ? {} : { upstreams: beyond }),
      },
    ]
  })
}
