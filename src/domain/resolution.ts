import type { RepoConfig } from './config-schema.ts'
import type { ExternalStack } from './external-stacks.ts'
import type { Edge, Graph, StackNode } from './graph.ts'
import type { Reason } from './reasons.ts'
import type { Warning } from './warnings.ts'

/** All that resolution goes by (spec, 'Resolution rules'). */
export type ResolveInput = {
  /** The uploaded graph, checked (graph-upload.ts). */
  graph: Graph
  /** Repository-relative paths, old names of renamed files included. */
  changedPaths: readonly string[]
  /** The uploaded configuration. It is believed, but cannot shrink the affected set. */
  config: RepoConfig
  /** The default branch's configuration, and its graph (the latest one before the first merge). */
  defaultBranch?: { config: RepoConfig; graph?: Graph | undefined } | undefined
  /** Stacks that the run is restricted to: keys, or paths for all instances. None or empty: no restriction. */
  restrict?: readonly string[] | undefined
  /** Keys of stacks that changed though no path did: those of other repositories, for what depends on them here. */
  changedStacks?: readonly string[] | undefined
  /**
   * Directories that the commit no longer has, out of those of an earlier answer's `addedStacks`: the graph cannot tell a
   * directory that its configuration hides from one that the pull request deletes, so somebody has to look.
   */
  goneDirectories?: readonly string[] | undefined
}

export type AffectedStack = {
  key: string
  path: string
  /** Index in `waves`; 0 when there are cycles. */
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
}

export type Resolution = {
  /** By wave, then by key. */
  affected: AffectedStack[]
  /** Keys by wave; empty when there are cycles. */
  waves: string[][]
  warnings: Warning[]
  /** Each spelled 'a → b → a', where a depends on b. */
  cycles: string[]
  external: ExternalStack[]
  /** Scheduled stacks that are not in the uploaded graph, and the ordering edges used that are not either. */
  addedStacks: StackNode[]
  addedEdges: Edge[]
  /** Names in `restrict` that are no stack. */
  unknown: string[]
}
