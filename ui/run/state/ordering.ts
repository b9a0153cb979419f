import type { Graph } from '../../api/run-types.ts'

type Edge = Graph['edges'][number]

/** An ordering edge between two stacks: `on` comes first. */
export type Need = {
  on: string
  type: 'depends_on' | 'reads_state'
  inferred: boolean
  /** Bucket and key of the state that is read, where the graph says so. */
  state?: string
  /** The module that it goes through. */
  through?: string
}

/** What stacks need, by the key of each; edges of modules count for the stacks that use them, however indirectly. */
export type Needs = ReadonlyMap<string, readonly Need[]>

export const needsOf = ({ stacks, edges }: Pick<Graph, 'stacks' | 'edges'>): Needs => {
  const from = Map.groupBy(edges, (edge) => `${edge.from.kind} ${edge.from.key}`)
  return new Map(stacks.map(({ key }) => [key, needsOfStack(key, from)]))
}

const needsOfStack = (key: string, from: ReadonlyMap<string, Edge[]>): Need[] => {
  const needs = new Map<string, Need>()
  const seen = new Set<string>()
  const open: { node: string; through?: string }[] = [{ node: `stack ${key}` }]
  for (let next = open.pop(); next; next = open.pop()) {
    if (seen.has(next.node)) continue
    seen.add(next.node)
    for (const edge of from.get(next.node) ?? []) {
      const { through } = next
      if (edge.to.kind === 'module') open.push({ node: `module ${edge.to.key}`, through: through ?? edge.to.key })
      else if (edge.type !== 'uses_module' && edge.to.key !== key && !needs.has(edge.to.key)) {
        needs.set(edge.to.key, needOf(edge, edge.type, through))
      }
    }
  }
  return [...needs.values()]
}

const needOf = ({ to, inferred, meta }: Edge, type: Need['type'], through: string | undefined): Need => {
  const state = [meta?.bucket, meta?.key].filter((part) => part !== undefined && part !== '').join('/')
  return {
    on: to.key,
    type,
    inferred: inferred === true,
    ...(state === '' ? {} : { state }),
    ...(through === undefined ? {} : { through }),
  }
}

/** Stacks of the run that come right after one, in the run's order. */
export const dependentsOf = (needs: Needs, key: string, keys: Iterable<string>): string[] =>
  [...keys].filter((other) => needs.get(other)?.some(({ on }) => on === key))
