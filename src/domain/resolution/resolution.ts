import type { RepoConfig } from '#domain/config/config-schema.ts'
import type { ExternalStack } from '#domain/graph/external-stacks.ts'
import type { Edge, Graph, StackNode } from '#domain/graph/graph.ts'
import type { Warning } from '#domain/texts/warnings.ts'
import type { Reason } from './reasons.ts'

/** Everything that resolution takes into account (docs/interface.md, 'Resolution rules'). */
export type ResolveInput = {
  /** The uploaded graph, checked (graph-upload.ts). */
  graph: Graph
  /** Repository-relative paths, old names of renamed files included. */
  changedPaths: readonly string[]
  /** The uploaded configuration. It is believed, but cannot shrink the affected set. */
  config: RepoConfig
  /**
   * The default branch's configuration, and its graph (the latest one before the first merge); while both have the same configuration, a
   * graph's outline is enough.
   */
  defaultBranch?: { config: RepoConfig; graph?: Graph | undefined } | undefined
  /** Stacks that the run is restricted to: keys, or paths for all instances. Absent or empty: no restriction. */
  restrict?: readonly string[] | undefined
  /** Keys of stacks that changed though no path did: stacks of other repositories, for what depends on them here. */
  changedStacks?: readonly string[] | undefined
  /**
   * Paths that the commit no longer has, out of the homes of an earlier answer's `addedStacks`. The graph cannot distinguish
   * a stack that its configuration hides from one that the pull request deletes, so the caller has to look.
   */
  gonePaths?: readonly string[] | undefined
}

export type AffectedStack = {
  key: string
  path: string
  /** Index in `waves`; 0 if there are cycles. */
  wave: number
  reasons: Reason[]
  /** Keys of the stacks and modules that caused it. */
  via: string[]
  environment: string
  tool: RepoConfig['tool']
  tool_version?: string
  plan_output: 'full' | 'summary'
  instance?: string
  workspace?: string
  /** Labels of the runners that its job asks for. */
  runs_on?: string[]
}

export type Resolution = {
  /** By wave, then by key. */
  affected: AffectedStack[]
  /** Keys by wave; empty if there are cycles. */
  waves: string[][]
  warnings: Warning[]
  /** Each spelled 'a → b → a', where a depends on b. */
  cycles: string[]
  external: ExternalStack[]
  /** Scheduled stacks that are not in the uploaded graph, and the ordering edges used that are not in it either. */
  addedStacks: StackNode[]
  addedEdges: Edge[]
  /** Names in `restrict` that match no stack. */
  unknown: string[]
}
