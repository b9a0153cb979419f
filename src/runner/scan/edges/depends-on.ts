import { isLiteral } from '#domain/config/glob.ts'
import type { Edge, StackNode } from '#domain/graph/graph.ts'
import { parseQualifiedKey, parseStackKey, tagIn } from '#domain/keys.ts'
import {
  type Dependencies,
  DependsOnFault,
  dependencyFinder,
  dependsOnEdges as edgesOf,
} from '#domain/resolution/depends-on.ts'
import { Problem } from '#errors.ts'
import type { Warn } from '../warning.ts'

export type DependencyPart = { stacks: StackNode[]; edges: Edge[] }

const externalNode = (repo: string, key: string): StackNode => {
  const { path, instance } = parseStackKey(key)
  return { key: `${repo}//${key}`, path, ...(instance === undefined ? {} : { instance }), external: true, repo }
}

/**
 * Ordering edges of the configuration, as the service makes them. A stack of another repository gets its own node; what names
 * nothing causes a warning. Throws a Problem for more edges than a graph can have.
 */
export const dependsOnEdges = (stacks: readonly StackNode[], repo: string, warn: Warn): DependencyPart => {
  const external = new Map<string, StackNode>()
  const own = dependencyFinder(repo, stacks)

  const unknown = ({ key }: StackNode, written: string, why: string): undefined => {
    warn({ code: 'dependency_unknown', message: `${key} depends on ${written}, ${why}`, stacks: [key] })
  }

  const find: Dependencies = (from, written) => {
    const qualified = parseQualifiedKey(written)
    if (qualified !== undefined && qualified.repo.toLowerCase() !== repo.toLowerCase()) {
      if (!isLiteral(qualified.key))
        return unknown(from, written, 'a glob: stacks of other repositories are named in full')
      const node = externalNode(qualified.repo, qualified.key)
      external.set(node.key, node)
      return [node.key]
    }
    const why = tagIn(written) ? 'the tag of no' : isLiteral(written) ? 'which is not a' : 'which matches no'
    return own(from, written) ?? unknown(from, written, `${why} stack of this repository`)
  }

  try {
    const edges = edgesOf(
      stacks,
      ({ config }) => config?.depends_on,
      () => find,
    )
    return { stacks: [...external.values()], edges }
  } catch (error) {
    if (error instanceof DependsOnFault) throw new Problem('invalid', `svc.yml: ${error.message}`)
    throw error
  }
}
