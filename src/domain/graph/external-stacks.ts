import { parseQualifiedKey } from '../keys.ts'
import type { GraphIndex } from './graph-index.ts'

/** A stack of another repository with an ordering edge to a scheduled one. It is never planned here. */
export type ExternalStack = {
  /** Qualified: `owner/repo//key`. */
  key: string
  repo: string
  /** Whether scheduled stacks depend on it, or it depends on them. */
  relation: 'dependency' | 'dependent'
  type: 'depends_on' | 'reads_state'
  /** Keys of the scheduled stacks. */
  stacks: string[]
}

/** External stacks with an edge from or to a scheduled stack, by key; one entry for each relation and type of edge. */
export const externalStacks = (index: GraphIndex, scheduled: Uint8Array): ExternalStack[] => {
  const found = new Map<string, ExternalStack>()
  const { stacks, externals, into, out } = index
  for (const node of externals) {
    const { key = '', repo } = stacks[node] ?? {}
    for (const relation of ['dependency', 'dependent'] as const) {
      const { edgesOf, nodeAt, typeAt } = relation === 'dependency' ? into : out
      const { first, end } = edgesOf(node)
      for (let edge = first; edge < end; edge += 1) {
        const [other, type] = [nodeAt(edge), typeAt(edge)]
        const stack = stacks[other]
        if (stack === undefined || scheduled[other] !== 1 || type === 'uses_module') continue
        const name = `${key} ${relation} ${type}`
        const entry = found.get(name) ?? {
          key,
          repo: repo ?? parseQualifiedKey(key)?.repo ?? '',
          relation,
          type,
          stacks: [],
        }
        entry.stacks.push(stack.key)
        found.set(name, entry)
      }
    }
  }
  return [...found.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, entry]) => ({ ...entry, stacks: [...new Set(entry.stacks)].sort() }))
}
