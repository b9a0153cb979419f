import type { Graph } from '#domain/graph/graph.ts'

/*
 * The least that resolution can be: keys to numbers, edges to typed arrays, a breadth-first closure, layers by Kahn's
 * algorithm, which also finds cycles. No configuration, no reasons, no causes, nothing for people. Watched files are not
 * read either: none of the other contenders knows of them, and no change of the bench touches one.
 */

export type Answer = { affected: number; waves: string[][] }

/** Nodes that contain changed paths: up from each path to the first directory that is one. Every contender uses this. */
export const seedsOf = <T>(changedPaths: readonly string[], find: (path: string) => T | undefined): T[] =>
  changedPaths.flatMap((path) => {
    for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const found = find(at)
      if (found !== undefined) return [found]
    }
    return []
  })

const index = ({ stacks, modules, edges }: Graph) => {
  const size = stacks.length + modules.length
  const ids = new Map<string, number>()
  for (let i = 0; i < stacks.length; i++) ids.set(stacks[i]!.key, i)
  for (let i = 0; i < modules.length; i++) ids.set(modules[i]!.key, stacks.length + i)
  const from = new Uint32Array(edges.length)
  const to = new Uint32Array(edges.length)
  const start = new Uint32Array(size + 1)
  for (let e = 0; e < edges.length; e++) {
    from[e] = ids.get(edges[e]!.from.key)!
    to[e] = ids.get(edges[e]!.to.key)!
    start[to[e]! + 1]!++
  }
  for (let n = 0; n < size; n++) start[n + 1]! += start[n]!
  const next = start.slice()
  const users = new Uint32Array(edges.length)
  for (let e = 0; e < edges.length; e++) users[next[to[e]!]!++] = from[e]!
  return { ids, size, start, users }
}

export const floor = (graph: Graph, changedPaths: readonly string[]): Answer => {
  const { ids, size, start, users } = index(graph)
  const prefix = `${graph.repo}//`
  const seeds = seedsOf(changedPaths, (path) => ids.get(path) ?? ids.get(prefix + path))

  const isAffected = new Uint8Array(size)
  const queue = new Uint32Array(size)
  let end = 0
  for (const seed of seeds) {
    if (isAffected[seed] === 0) queue[end++] = seed
    isAffected[seed] = 1
  }
  const waits = new Uint32Array(size)
  for (let at = 0; at < end; at++) {
    for (let e = start[queue[at]!]!; e < start[queue[at]! + 1]!; e++) {
      const user = users[e]!
      waits[user]!++
      if (isAffected[user] === 0) queue[end++] = user
      isAffected[user] = 1
    }
  }

  const layer = new Uint32Array(size)
  const ready = new Uint32Array(end)
  let ordered = 0
  for (let at = 0; at < end; at++) if (waits[queue[at]!] === 0) ready[ordered++] = queue[at]!
  const waves: string[][] = []
  let affected = 0
  for (let at = 0; at < ordered; at++) {
    const node = ready[at]!
    const isStack = node < graph.stacks.length
    if (isStack) {
      affected++
      waves[layer[node]!] ??= []
      waves[layer[node]!]!.push(graph.stacks[node]!.key)
    }
    for (let e = start[node]!; e < start[node + 1]!; e++) {
      const user = users[e]!
      layer[user] = Math.max(layer[user]!, layer[node]! + (isStack ? 1 : 0))
      if (--waits[user]! === 0) ready[ordered++] = user
    }
  }
  if (ordered < end) throw new Error('the graph has a cycle')
  for (const wave of waves) wave.sort()
  return { affected, waves }
}
