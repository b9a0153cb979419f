import { type GraphIndex, READS_STATE, USES_MODULE } from './graph-index.ts'
import { parseQualifiedKey } from './keys.ts'

/** What a stack depends on in another repository. */
export type Upstream = {
  /** As the graph spells it: `owner/repo//key`. */
  key: string
  /** owner/name in lower case: names of repositories have none. */
  repo: string
  /** The stack's key there. */
  stack: string
  type: 'depends_on' | 'reads_state'
}

/** Stacks and modules with an edge of their own to the external stack, and what uses those modules, each with the edge's type. */
const usersOf = (index: GraphIndex, external: number): { user: number; type: Upstream['type'] }[] => {
  const { into, stacks } = index
  const found = new Map<string, { user: number; type: Upstream['type'] }>()
  const queue: { user: number; type: Upstream['type'] }[] = []
  const meet = (user: number, type: Upstream['type']): void => {
    const name = `${user} ${type}`
    if (found.has(name)) return
    found.set(name, { user, type })
    if (user >= stacks.length) queue.push({ user, type })
  }
  for (let e = into.start[external] as number; e < (into.start[external + 1] as number); e += 1) {
    if (into.type[e] === USES_MODULE) continue
    meet(into.node[e] as number, into.type[e] === READS_STATE ? 'reads_state' : 'depends_on')
  }
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (let e = into.start[next.user] as number; e < (into.start[next.user + 1] as number); e += 1) {
      if (into.type[e] === USES_MODULE) meet(into.node[e] as number, next.type)
    }
  }
  return [...found.values()].filter(({ user }) => user < stacks.length && index.stacks[user]?.external !== true)
}

/**
 * The stacks of other repositories that each of the graph's own depends on or reads the state of, by itself or through a
 * module, by the number of the stack. A key that names no repository is left out: nobody could find it.
 */
export const upstreamsOf = (index: GraphIndex): Map<number, Upstream[]> => {
  const upstreams = new Map<number, Upstream[]>()
  for (const external of index.externals) {
    const key = index.stacks[external]?.key ?? ''
    const named = parseQualifiedKey(key)
    if (named === undefined) continue
    for (const { user, type } of usersOf(index, external)) {
      const upstream = { key, repo: named.repo.toLowerCase(), stack: named.key, type }
      const known = upstreams.get(user)
      if (known === undefined) upstreams.set(user, [upstream])
      else known.push(upstream)
    }
  }
  return upstreams
}
