import { parseQualifiedKey, repositoryPath } from '../keys.ts'
import type { Edge, StackNode } from './graph.ts'

type Instance = Pick<StackNode, 'key' | 'instance'>

/** Stacks by the directory that they are instances of. */
const instancesByPath = (stacks: readonly StackNode[]): Map<string, Instance[]> => {
  const byPath = new Map<string, Instance[]>()
  for (const stack of stacks) {
    if (stack.external || stack.key === stack.path) continue
    const instances = byPath.get(stack.path)
    if (instances === undefined) byPath.set(stack.path, [stack])
    else instances.push(stack)
  }
  return byPath
}

/** An entry spelled as a key: keys of this repository may be qualified, or written as `./net/`. */
const keyOfEntry = (repo: string, entry: string): string => {
  const qualified = parseQualifiedKey(entry)
  if (qualified === undefined) return repositoryPath(entry) ?? entry
  return qualified.repo.toLowerCase() === repo.toLowerCase() ? qualified.key : entry
}

/**
 * Ordering edges that depends_on entries make among the given stacks. A key names one stack. A directory that has only
 * instances means the instance with the dependent's instance name, or all instances if there is none of that name: `app:eu`
 * waits for `net:eu`, and `dns` for every `net`. Entries that name none of the stacks make no edge.
 */
export const dependsOnEdges = (
  repo: string,
  stacks: readonly StackNode[],
  entriesOf: (stack: StackNode) => readonly string[] | undefined,
): Edge[] => {
  const wanting: { stack: StackNode; entries: readonly string[] }[] = []
  for (const stack of stacks) {
    const entries = stack.external ? undefined : entriesOf(stack)
    if (entries !== undefined && entries.length > 0) wanting.push({ stack, entries })
  }
  if (wanting.length === 0) return []
  const keys = new Set(stacks.map(({ key }) => key))
  const byPath = instancesByPath(stacks)
  const named = ({ instance }: StackNode, entry: string): string[] => {
    const key = keyOfEntry(repo, entry)
    if (keys.has(key)) return [key]
    const all = byPath.get(key) ?? []
    const same = all.filter((one) => instance !== undefined && one.instance === instance)
    return (same.length > 0 ? same : all).map((one) => one.key)
  }
  return wanting.flatMap(({ stack, entries }) =>
    [...new Set(entries.flatMap((entry) => named(stack, entry)))].map(
      (key): Edge => ({
        from: { kind: 'stack', key: stack.key },
        to: { kind: 'stack', key },
        type: 'depends_on',
      }),
    ),
  )
}
