import type { RepoConfig } from '#domain/config/config-file.ts'
import { declaresStack, stackSettings } from '#domain/config/stack-variants.ts'
import type { Graph } from '#domain/graph/graph.ts'
import { namedByKey } from '#domain/keys.ts'
import type { Resolved } from '../service/resolved.ts'
import type { StackEntry } from './group-matrix.ts'

/**
 * The matrix of an answer, with what the jobs cannot find out themselves: the files of a stack that only the default branch's
 * configuration knows. Their checkout has no history, and the head's svc.yml does not name these files.
 */
export const matrixEntries = ({ matrix }: Resolved, graph: Graph, baseConfig: RepoConfig | undefined): StackEntry[] => {
  const own = new Set(graph.stacks.map(({ key }) => key))
  return matrix.include.map((entry) => {
    const named = namedByKey({ key: entry.key, path: entry.stack })
    if (own.has(entry.key) || baseConfig === undefined || !declaresStack(baseConfig, named)) return entry
    const { var_files, backend_config } = stackSettings(baseConfig, named)
    return {
      ...entry,
      ...(var_files.length > 0 ? { var_files } : {}),
      ...(backend_config.length > 0 ? { backend_config } : {}),
    }
  })
}
