import type { RepoConfig } from './config-schema.ts'
import type { Edge, Graph, StackNode } from './graph.ts'
import { type GraphIndex, indexGraph } from './graph-index.ts'
import { parseQualifiedKey } from './keys.ts'
import { stackConfig, stackVariants, watchedPaths } from './stack-config.ts'

/** A graph as one configuration sees it. */
export type GraphView = {
  index: GraphIndex
  edges: readonly (readonly Edge[])[]
  config: RepoConfig
  /** Paths and globs outside its directory that affect a stack, by the stack's number. */
  watched: (stack: number) => readonly string[]
}

const NOTHING: readonly string[] = []

/** Paths the configuration makes a stack watch: those of its variant with the same key. */
export const configuredWatches = (config: RepoConfig, stack: StackNode): readonly string[] => {
  if (config.stacks.length === 0 || stack.external) return NOTHING
  const variant = stackVariants(config, stack.path).find(({ key }) => key === stack.key)
  return variant === undefined ? NOTHING : watchedPaths(variant)
}

/** Stacks that a depends_on entry names: one key, or every instance of a directory. Keys of this repository may be qualified. */
const namedBy = (repo: string, keys: ReadonlySet<string>, byPath: ReadonlyMap<string, string[]>) => (entry: string) => {
  const qualified = parseQualifiedKey(entry)
  const key = qualified?.repo === repo ? qualified.key : entry
  return keys.has(key) ? [key] : (byPath.get(key) ?? [])
}

/** Ordering edges that depends_on entries make among the given stacks; entries that name none of them make none. */
export const dependsOnEdges = (
  repo: string,
  stacks: readonly StackNode[],
  entriesOf: (stack: StackNode) => readonly string[] | undefined,
): Edge[] => {
  const wanting: { stack: StackNode; entries: readonly string[] }[] = []
  for (const stack of stacks) {
    const entries = stack.external ? undefined : entriesOf(stack)
    if (entries !== undefined && entries.length > 0) wanting.push({ stack, entries })
  }
  if (wanting.length === 0) return []
  const byPath = new Map<string, string[]>()
  for (const { key, path, external } of stacks) {
    if (external || key === path) continue
    const keys = byPath.get(path)
    if (keys === undefined) byPath.set(path, [key])
    else keys.push(key)
  }
  const named = namedBy(repo, new Set(stacks.map(({ key }) => key)), byPath)
  return wanting.flatMap(({ stack, entries }) =>
    entries.flatMap(named).map(
      (key): Edge => ({
        from: { kind: 'stack', key: stack.key },
        to: { kind: 'stack', key },
        type: 'depends_on',
      }),
    ),
  )
}

export const configuredEdges = (repo: string, stacks: readonly StackNode[], config: RepoConfig): Edge[] =>
  config.stacks.some(({ depends_on }) => depends_on !== undefined)
    ? dependsOnEdges(repo, stacks, ({ path }) => stackConfig(config, path).depends_on)
    : []

/** The uploaded graph under the uploaded configuration: what it says, and what nodes and configuration say of depends_on. */
export const uploadedView = (graph: Graph, config: RepoConfig): GraphView => {
  const { stacks } = graph
  const ofNodes = dependsOnEdges(graph.repo, stacks, (stack) => stack.config?.depends_on)
  const ofConfig = configuredEdges(graph.repo, stacks, config)
  const edges = [graph.edges, ofNodes, ofConfig]
  return {
    index: indexGraph(stacks, graph.modules, edges),
    edges,
    config,
    watched: (i) => {
      const stack = stacks[i]
      if (stack === undefined) return NOTHING
      const configured = configuredWatches(config, stack)
      const own = stack.watch_paths ?? NOTHING
      return configured.length === 0 ? own : [...own, ...configured]
    },
  }
}
