import type { RepoConfig } from '#domain/config/config-schema.ts'
import { stackConfig } from '#domain/config/stack-config.ts'
import { declaresStack, stackSettings, watchedPaths } from '#domain/config/stack-variants.ts'
import type { Edge, Graph, StackNode } from '#domain/graph/graph.ts'
import { type GraphIndex, indexGraph } from '#domain/graph/graph-index.ts'
import { namedByKey } from '../keys.ts'
import { dependencyFinder, dependsOnEdges } from './depends-on.ts'

/** A graph as one configuration sees it. */
export type ConfiguredGraph = {
  index: GraphIndex
  edges: readonly (readonly Edge[])[]
  config: RepoConfig
  /** Paths and globs outside its directory that affect a stack, by the stack's number. */
  watched: (stack: number) => readonly string[]
}

const NOTHING: readonly string[] = []

/** Paths the configuration makes a stack watch: the watched paths of its variant with the same key. */
export const configuredWatches = (config: RepoConfig, stack: StackNode): readonly string[] => {
  if (config.stacks.length === 0 || stack.external) return NOTHING
  const named = namedByKey(stack)
  return declaresStack(config, named) ? watchedPaths(stackSettings(config, named)) : NOTHING
}

/** The configuration's depends_on edges for the given stacks. */
export const configuredEdges = (repo: string, stacks: readonly StackNode[], config: RepoConfig): Edge[] =>
  config.stacks.some(({ depends_on }) => depends_on !== undefined)
    ? dependsOnEdges(
        stacks,
        ({ path }) => stackConfig(config, path).depends_on,
        () => dependencyFinder(repo, stacks, ({ path }) => stackConfig(config, path).tags),
      )
    : []

/** The depends_on edges that the nodes of a graph name themselves. */
export const nodesEdges = ({ repo, stacks }: Graph): Edge[] =>
  dependsOnEdges(
    stacks,
    ({ config }) => config?.depends_on,
    () => dependencyFinder(repo, stacks),
  )

/** The uploaded graph under the uploaded configuration: its edges, and the depends_on of its nodes and of the configuration. */
export const configuredGraph = (graph: Graph, config: RepoConfig): ConfiguredGraph => {
  const { stacks } = graph
  const ofNodes = nodesEdges(graph)
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
