import { compileGlob, globBase, isLiteral } from '#domain/config/glob.ts'
import type { Edge, StackNode } from '#domain/graph/graph.ts'
import { isInside, parseQualifiedKey, repositoryPath, tagIn } from '../keys.ts'

/** What an entry means: stacks, and directories that have only instances. */
type Named = { stacks: readonly string[]; directories: readonly string[]; isGroup: boolean }

/** Whom an entry of depends_on names for a stack; undefined if it names none of the stacks at all. */
export type Dependencies = (stack: StackNode, entry: string) => readonly string[] | undefined

/** A configuration that makes more edges than a graph can have. */
export class DependsOnFault extends Error {}

/** An upload of 8 MB has some 80,000 edges. `**` before 20,000 stacks would make 400 million. */
const MAX_EDGES = 200_000

/** Pairs of characters, a few ns each. */
const MAX_WORK = 500_000_000

/** Stacks by the directory that they are instances of. */
const instancesByPath = (stacks: readonly StackNode[]): Map<string, StackNode[]> => {
  const byPath = new Map<string, StackNode[]>()
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

/** The stacks of a glob. One that matches a directory means it like its name; one that matches only keys means those stacks. */
const globFinder = (stacks: readonly StackNode[]): ((glob: string) => Named) => {
  const own = stacks.filter(({ external }) => !external)
  const chars = own.reduce((sum, { key }) => sum + key.length, 0)
  let work = 0
  return (glob) => {
    work += glob.length * chars
    if (work > MAX_WORK)
      throw new DependsOnFault(`depends_on has too many globs for ${own.length} stacks, at '${glob}'`)
    const [matches, base] = [compileGlob(glob), globBase(glob)]
    const [found, directories] = [new Set<string>(), new Set<string>()]
    for (const { key, path } of own) {
      if (base !== '' && !isInside(path, base)) continue
      if (matches(path)) (key === path ? found : directories).add(path)
      else if (matches(key)) found.add(key)
    }
    return { stacks: [...found], directories: [...directories], isGroup: true }
  }
}

type TagsOf = (stack: StackNode) => readonly string[] | undefined

const stacksByTag = (stacks: readonly StackNode[], tagsOf: TagsOf): Map<string, string[]> => {
  const byTag = new Map<string, string[]>()
  for (const stack of stacks) {
    for (const tag of (stack.external ? undefined : tagsOf(stack)) ?? []) {
      const tagged = byTag.get(tag)
      if (tagged === undefined) byTag.set(tag, [stack.key])
      else tagged.push(stack.key)
    }
  }
  return byTag
}

/**
 * Finds whom entries of depends_on name. A key names one stack. A directory that has only instances means the instance with the
 * dependent's instance name, or all instances if there is none of that name: `app:eu` waits for `net:eu`, and `dns` for every
 * `net`. A glob means each directory that it matches, and each key; `tag:net` every stack with that tag. A stack that is among
 * them waits for none of the others: they come first together.
 */
export const dependencyFinder = (
  repo: string,
  stacks: readonly StackNode[],
  tagsOf: TagsOf = ({ tags }) => tags,
): Dependencies => {
  const keys = new Set(stacks.map(({ key }) => key))
  const byPath = instancesByPath(stacks)
  const known = new Map<string, Named & { members: ReadonlySet<string> }>()
  let ofGlob: ReturnType<typeof globFinder> | undefined
  let byTag: ReturnType<typeof stacksByTag> | undefined

  const look = (entry: string): Named => {
    const key = keyOfEntry(repo, entry)
    if (keys.has(key)) return { stacks: [key], directories: [], isGroup: false }
    if (byPath.has(key)) return { stacks: [], directories: [key], isGroup: false }
    const tag = tagIn(key)
    if (tag !== undefined) {
      byTag ??= stacksByTag(stacks, tagsOf)
      return { stacks: byTag.get(tag) ?? [], directories: [], isGroup: true }
    }
    if (isLiteral(key)) return { stacks: [], directories: [], isGroup: false }
    ofGlob ??= globFinder(stacks)
    return ofGlob(key)
  }

  const named = (entry: string) => {
    const before = known.get(entry)
    if (before !== undefined) return before
    const found = look(entry)
    const made = { ...found, members: new Set(found.isGroup ? [...found.stacks, ...found.directories] : []) }
    known.set(entry, made)
    return made
  }

  return ({ key, path, instance }, entry) => {
    const { stacks: found, directories, members } = named(entry)
    if (found.length === 0 && directories.length === 0) return undefined
    if (members.has(key) || members.has(path)) return []
    const chosen = directories.flatMap((directory) => {
      const all = byPath.get(directory) ?? []
      const same = all.filter((one) => instance !== undefined && one.instance === instance)
      return (same.length > 0 ? same : all).map((one) => one.key)
    })
    return [...found, ...chosen]
  }
}

/** Ordering edges that depends_on entries make among the given stacks. Throws a DependsOnFault for more than a graph can have. */
export const dependsOnEdges = (
  stacks: readonly StackNode[],
  entriesOf: (stack: StackNode) => readonly string[] | undefined,
  find: () => Dependencies,
): Edge[] => {
  const edges: Edge[] = []
  let finder: Dependencies | undefined
  for (const stack of stacks) {
    const entries = stack.external ? undefined : entriesOf(stack)
    if (entries === undefined || entries.length === 0) continue
    finder ??= find()
    const found = new Set<string>()
    for (const entry of entries) for (const key of finder(stack, entry) ?? []) found.add(key)
    for (const key of found)
      edges.push({ from: { kind: 'stack', key: stack.key }, to: { kind: 'stack', key }, type: 'depends_on' })
    if (edges.length > MAX_EDGES)
      throw new DependsOnFault(`depends_on makes more than ${MAX_EDGES} edges, at ${stack.key}: name fewer stacks`)
  }
  return edges
}
