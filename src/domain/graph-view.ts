import type { RepoConfig } from './config-schema.ts'
import { dependsOnEdges } from './depends-on.ts'
import type { Edge, Graph, StackNode } from './graph.ts'
import { type GraphIndex, indexGraph } from './graph-index.ts'
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

/** What the configuration's depends_on says of the given stacks. */
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
