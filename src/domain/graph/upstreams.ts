import { parseQualifiedKey } from '../keys.ts'
import type { GraphIndex } from './graph-index.ts'

/** What a stack depends on in another repository. */
export type Upstream = {
  /** As the graph spells it: `owner/repo//key`. */
  key: string
  /** owner/name in lower case: repository names ignore letter case. */
  repo: string
  /** The stack's key there. */
  stack: string
  type: 'depends_on' | 'reads_state'
}

/** Stacks and modules with a direct edge to the external stack, and users of those modules, each with the edge's type. */
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
  const own = into.edgesOf(external)
  for (let edge = own.first; edge < own.end; edge += 1) {
    const type = into.typeAt(edge)
    if (type !== 'uses_module') meet(into.nodeAt(edge), type)
  }
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { first, end } = into.edgesOf(next.user)
    for (let edge = first; edge < end; edge += 1) {
      if (into.typeAt(edge) === 'uses_module') meet(into.nodeAt(edge), next.type)
    }
  }
  return [...found.values()].filter(({ user }) => user < stacks.length && stacks[user]?.external !== true)
}

/**
 * The stacks of other repositories that each of the graph's own stacks depends on or reads the state of, directly or through a
 * module, by the number of the stack. A key that names no repository is left out: it could not be found.
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
