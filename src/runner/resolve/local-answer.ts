import type { RepoConfig } from '#domain/config/config-file.ts'
import type { Graph } from '#domain/graph/graph.ts'
import { matrixOf } from '#domain/resolution/matrix.ts'
import { resolve } from '#domain/resolution/resolve.ts'
import { Problem } from '#errors.ts'
import type { Resolved } from '../service/resolved.ts'

export type LocalInput = {
  graph: Graph
  config: RepoConfig
  changedPaths: readonly string[]
  sha: string
  /** What the base has if it differs: its configuration, and the stacks that this configuration finds in the same files. */
  base?: { config: RepoConfig; graph: Graph } | undefined
  /** Restricts the answer to these stacks. */
  stacks?: readonly string[] | undefined
}

/**
 * The service's answer, worked out without the service: by the same function, but without locks and without the default branch's
 * own graph.
 */
export const localAnswer = ({ graph, config, changedPaths, sha, base, stacks }: LocalInput): Resolved => {
  const { affected, waves, warnings, cycles, external, unknown } = resolve({
    graph,
    changedPaths,
    config,
    defaultBranch: base,
    restrict: stacks,
  })
  if (unknown.length > 0) throw new Problem('invalid', `there is no stack ${unknown.join(', ')}`)
  return {
    affected,
    waves,
    matrix: matrixOf(affected, sha),
    cached: false,
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(cycles.length > 0 ? { cycles } : {}),
    ...(external.length > 0 ? { external } : {}),
    unconfirmed: true,
  }
}
