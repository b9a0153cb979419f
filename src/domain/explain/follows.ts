import { keyOf } from '../graph/graph-index.ts'
import type { ConfiguredGraph } from '../resolution/configured-graph.ts'
import type { Explanation } from './explanation.ts'

/** What a stack follows: its directory, the local modules that it reaches, what it watches, and the stacks before it. */
export const followedBy = (view: ConfiguredGraph, stack: number): NonNullable<Explanation['follows']> => {
  const { index } = view
  const { stacks, modules, out } = index
  const directories = new Set<string>()
  const before = new Set<string>()
  const queue = [stack]
  const seen = new Set(queue)
  const own = stacks[stack]?.path
  if (own !== undefined) directories.add(own)
  for (const node of queue) {
    const { first, end } = out.edgesOf(node)
    for (let edge = first; edge < end; edge += 1) {
      const next = out.nodeAt(edge)
      if (seen.has(next)) continue
      seen.add(next)
      const module = modules[next - stacks.length]
      // Stacks before it are named, and not looked into: each is followed for the same kind of reasons.
      if (next < stacks.length) before.add(keyOf(index, next))
      else queue.push(next)
      if (module?.kind === 'local' && module.path !== undefined) directories.add(module.path)
    }
  }
  return { directories: [...directories], watched: [...view.watched(stack)], stacks: [...before] }
}
