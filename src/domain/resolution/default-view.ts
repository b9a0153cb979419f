import type { RepoConfig } from '#domain/config/config-schema.ts'
import type { Edge, Graph, ModuleNode, StackNode } from '#domain/graph/graph.ts'
import { indexGraph } from '#domain/graph/graph-index.ts'
import { type ConfiguredGraph, configuredEdges, configuredWatches, nodesEdges } from './configured-graph.ts'
import { onlyDiscoveredBy, onlyNamedBy } from './discovered.ts'

/*
 * The uploaded graph as the default branch's configuration sees it (docs/interface.md, 'Resolution rules'). What comes from
 * code stays (modules, states read, dependencies that no configuration made). What the uploaded configuration adds is taken
 * out, and what the default branch's adds is put in. Stacks that only the latter discovers come from the default-branch graph.
 */

export type DefaultView = ConfiguredGraph & {
  /** Stacks of the default-branch graph that only the default branch's configuration discovers. */
  hidden: readonly StackNode[]
  /**
   * Ordering edges that are not in the uploaded graph: from the default branch's configuration, and from or to hidden stacks.
   */
  extraEdges: readonly Edge[]
}

export type DefaultViewInput = {
  graph: Graph
  config: RepoConfig
  defaultConfig: RepoConfig
  defaultGraph: Graph | undefined
  /** Whether the pull request deletes a stack. */
  isGone: (stack: StackNode) => boolean
}

const nameOf = ({ from, to }: Edge): string => `${from.key}\n${to.key}`

/** The uploaded graph's edges without the depends_on edges that the uploaded configuration made. */
const edgesOfCode = ({ graph, config }: DefaultViewInput): Edge[] => {
  const configured = [...nodesEdges(graph), ...configuredEdges(graph.repo, graph.stacks, config)]
  const made = new Set(configured.map(nameOf))
  // what code or a generator says stays, though the uploaded configuration may say it as well
  return graph.edges.filter((edge) => edge.type !== 'depends_on' || edge.inferred === true || !made.has(nameOf(edge)))
}

/** Everything that the graph says it reads counts here too: naming a path in the uploaded configuration must not hide it. */
const watchesOf = (stack: StackNode, config: RepoConfig): readonly string[] => [
  ...(stack.watch_paths ?? []),
  ...configuredWatches(config, stack),
]

/** Stacks of the default-branch graph that the uploaded configuration excludes from the uploaded graph. */
const hiddenStacks = ({ graph, config, defaultConfig, defaultGraph, isGone }: DefaultViewInput): StackNode[] => {
  const uploadedKeys = new Set(graph.stacks.map(({ key }) => key))
  const onlyDiscovered = onlyDiscoveredBy(defaultConfig, config)
  const onlyNamed = onlyNamedBy(defaultConfig, config)
  return (defaultGraph?.stacks ?? []).filter(
    (stack) =>
      !stack.external &&
      !uploadedKeys.has(stack.key) &&
      (onlyDiscovered(stack) || onlyNamed(stack.path)) &&
      !isGone(stack),
  )
}

const union = <N extends { key: string }>(first: readonly N[], second: readonly N[]): N[] => {
  const keys = new Set(first.map(({ key }) => key))
  return [...first, ...second.filter(({ key }) => !keys.has(key))]
}

export const defaultView = (input: DefaultViewInput): DefaultView => {
  const { graph, config, defaultConfig, defaultGraph } = input
  const onlyUploaded = onlyDiscoveredBy(config, defaultConfig)
  const hidden = hiddenStacks(input)
  const hiddenKeys = new Set(hidden.map(({ key }) => key))
  const isHidden = (end: Edge['from']): boolean => end.kind === 'stack' && hiddenKeys.has(end.key)
  const stacks = [...graph.stacks.filter((stack) => !onlyUploaded(stack)), ...hidden]
  const externals = (defaultGraph?.stacks ?? []).filter(({ external }) => external === true)
  const nodes = hidden.length === 0 ? stacks : union(stacks, externals)
  const modules: ModuleNode[] = hidden.length === 0 ? graph.modules : union(graph.modules, defaultGraph?.modules ?? [])
  const ofHidden = (defaultGraph?.edges ?? []).filter(({ from, to }) => isHidden(from) || isHidden(to))
  const configured = configuredEdges(graph.repo, nodes, defaultConfig)
  const watched = nodes.map((stack) => watchesOf(stack, defaultConfig))
  const edges = [edgesOfCode(input), configured, ofHidden]
  return {
    index: indexGraph(nodes, modules, edges),
    edges,
    config: defaultConfig,
    watched: (i) => watched[i] ?? [],
    hidden,
    extraEdges: [...configured, ...ofHidden].filter(({ type }) => type !== 'uses_module'),
  }
}
