import type { Edge, StackNode } from '#domain/graph/graph.ts'
import { parseQualifiedKey, parseStackKey, repositoryPath } from '#domain/keys.ts'
import type { Warn } from '../warning.ts'

export type DependencyPart = { stacks: StackNode[]; edges: Edge[] }

const edge = (from: string, to: string): Edge => ({
  from: { kind: 'stack', key: from },
  to: { kind: 'stack', key: to },
  type: 'depends_on',
})

const externalNode = (repo: string, key: string): StackNode => {
  const { path, instance } = parseStackKey(key)
  return { key: `${repo}//${key}`, path, ...(instance === undefined ? {} : { instance }), external: true, repo }
}

const byDirectory = (stacks: readonly StackNode[]): Map<string, StackNode[]> => {
  const directories = new Map<string, StackNode[]>()
  for (const stack of stacks) directories.set(stack.path, [...(directories.get(stack.path) ?? []), stack])
  return directories
}

/**
 * Ordering edges of the configuration. A key names one stack. A directory that exists only in instances means the instance with
 * the same name as the dependent's, or all of them if there is none. A stack of another repository gets its own node.
 */
export const dependsOnEdges = (stacks: readonly StackNode[], repo: string, warn: Warn): DependencyPart => {
  const keys = new Set(stacks.map((stack) => stack.key))
  const directories = byDirectory(stacks)
  const external = new Map<string, StackNode>()

  const named = (from: StackNode, key: string): string[] => {
    if (keys.has(key)) return [key]
    const instances = directories.get(key) ?? []
    const same = instances.filter((stack) => from.instance !== undefined && stack.instance === from.instance)
    return (same.length > 0 ? same : instances).map((stack) => stack.key)
  }

  const targets = (from: StackNode, written: string): string[] => {
    const qualified = parseQualifiedKey(written)
    if (qualified !== undefined && qualified.repo.toLowerCase() !== repo.toLowerCase()) {
      const node = externalNode(qualified.repo, qualified.key)
      external.set(node.key, node)
      return [node.key]
    }
    const key = qualified?.key ?? repositoryPath(written) ?? written
    const found = named(from, key)
    if (found.length === 0)
      warn({
        code: 'dependency_unknown',
        message: `${from.key} depends on ${written}, which is not a stack of this repository`,
        stacks: [from.key],
      })
    return found
  }

  const edges = stacks.flatMap((stack) => {
    const all = (stack.config?.depends_on ?? []).flatMap((written) => targets(stack, written))
    return [...new Set(all)].map((to) => edge(stack.key, to))
  })
  return { stacks: [...external.values()], edges }
}
