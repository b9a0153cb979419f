import type { RepoConfig } from '#domain/config/config-file.ts'
import { stackVariants } from '#domain/config/stack-config.ts'
import type { Graph } from '#domain/graph/graph.ts'
import type { Resolved } from '../service/resolved.ts'
import type { StackEntry } from './group-matrix.ts'

/**
 * The matrix of an answer, with what the jobs cannot find out themselves: the files of a stack that only the default branch's
 * configuration knows. Their checkout has no history, and the head's svc.yml does not name these files.
 */
export const matrixEntries = ({ matrix }: Resolved, graph: Graph, baseConfig: RepoConfig | undefined): StackEntry[] => {
  const own = new Set(graph.stacks.map(({ key }) => key))
  return matrix.include.map((entry) => {
    const variants = own.has(entry.key) || baseConfig === undefined ? [] : stackVariants(baseConfig, entry.stack)
    const variant = variants.find(({ key }) => key === entry.key)
    if (variant === undefined) return entry
    const { var_files, backend_config } = variant
    return {
      ...entry,
      ...(var_files.length > 0 ? { var_files } : {}),
      ...(backend_config.length > 0 ? { backend_config } : {}),
    }
  })
}
