import { type GraphIndex, READS_STATE, USES_MODULE } from './graph-index.ts'
import { parseQualifiedKey } from './keys.ts'

/** A stack of another repository with an ordering edge to a scheduled one. It is never planned here. */
export type ExternalStack = {
  /** Qualified: `owner/repo//key`. */
  key: string
  repo: string
  /** Whether scheduled stacks depend on it, or it on them. */
  relation: 'dependency' | 'dependent'
  type: 'depends_on' | 'reads_state'
  /** Keys of the scheduled stacks. */
  stacks: string[]
}

/** External stacks with an edge from or to a scheduled stack, by key; one entry for each relation and type of edge. */
export const externalStacks = (index: GraphIndex, scheduled: Uint8Array): ExternalStack[] => {
  const found = new Map<string, ExternalStack>()
  for (const node of index.externals) {
    const { key = '', repo } = index.stacks[node] ?? {}
    for (const relation of ['dependency', 'dependent'] as const) {
      const edges = relation === 'dependency' ? index.into : index.out
      for (let e = edges.start[node] as number; e < (edges.start[node + 1] as number); e += 1) {
        const [other, kind] = [edges.node[e] as number, edges.type[e] as number]
        const stack = index.stacks[other]
        if (stack === undefined || scheduled[other] !== 1 || kind === USES_MODULE) continue
        const type = kind === READS_STATE ? 'reads_state' : 'depends_on'
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
