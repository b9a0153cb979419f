import { makesInstance } from '#domain/config/instances-from.ts'
import { stackConfig } from '#domain/config/stack-config.ts'
import { namedFiles, stackSettings } from '#domain/config/stack-variants.ts'
import type { ModuleNode } from '#domain/graph/graph.ts'
import { namedByKey, parseQualifiedKey, repositoryPath } from '../keys.ts'
import { parentOf, watcherOf } from './changed-paths.ts'
import type { ConfiguredGraph } from './configured-graph.ts'
import { CHANGED, MODULE, mark, WATCH_PATH } from './reasons.ts'

/** Told of each mark with the changed paths that made it, and for a watched one the path or glob that watches them. */
export type Note = (node: number, reason: number, paths: () => readonly string[], watched?: string) => void

type Marks = { bits: Uint8Array; origins: Map<number, number>; note?: Note }
type OwnedMarks = { bits: Uint8Array; owners: ReadonlyMap<string, string>; note?: Note | undefined }
type ByDirectory = Map<string, number[]>

/** Files that the tool always reads: they concern every instance, even if some instances name them. */
const READ_ANYWAY = /\.(tf|tofu)(\.json)?$|(^|\/)terraform\.tfvars(\.json)?$|\.auto\.tfvars(\.json)?$/

const add = (map: ByDirectory, directory: string, node: number): void => {
  const nodes = map.get(directory)
  if (nodes === undefined) map.set(directory, [node])
  else nodes.push(node)
}

/** A directory's stacks: itself, or its instances. Stacks without instances are found by key, which is their path. */
const stacksIn = ({ index }: ConfiguredGraph, touched: ReadonlySet<string>): ((directory: string) => number[]) => {
  const instances: ByDirectory = new Map()
  for (const stack of index.instances) {
    const path = index.stacks[stack]?.path ?? ''
    if (touched.has(path)) add(instances, path, stack)
  }
  return (directory) => {
    const plain = index.stackIds.get(directory)
    const isOwn = plain !== undefined && index.stacks[plain]?.path === directory && !index.stacks[plain]?.external
    const named = instances.get(directory) ?? []
    return isOwn ? [plain, ...named] : named
  }
}

/** The directory of a local module's code; its key contains it too: `owner/repo//modules/vpc`. */
const moduleDirectory = ({ kind, path, key }: ModuleNode): string | undefined => {
  if (kind !== 'local') return undefined
  return repositoryPath(path ?? parseQualifiedKey(key)?.key ?? '')
}

const modulesByDirectory = (
  { index: { stacks, modules } }: ConfiguredGraph,
  touched: ReadonlySet<string>,
): ByDirectory => {
  const out: ByDirectory = new Map()
  for (const [i, module] of modules.entries()) {
    const directory = moduleDirectory(module)
    if (directory !== undefined && touched.has(directory)) add(out, directory, stacks.length + i)
  }
  return out
}

/**
 * The stacks of a directory that a changed file in it concerns: all of them, unless the configuration gives the file to some
 * instances by name (`prod.tfvars`) and the tool would not read it otherwise. The file that made an instance which is gone
 * concerns none of the others.
 */
const concerned = ({ index, config }: ConfiguredGraph, directory: string, path: string, all: number[]): number[] => {
  if (all.length < 2 || READ_ANYWAY.test(path)) return all
  const naming = all.filter((id) => {
    const stack = index.stacks[id]
    return stack !== undefined && namedFiles(stackSettings(config, namedByKey(stack))).includes(path)
  })
  const { instances_from: from } = stackConfig(config, directory)
  const isOfOther = from !== undefined && makesInstance(from, directory, path)
  return naming.length > 0 || isOfOther ? naming : all
}

/** The deepest stack directory that holds each path: a file in a nested stack belongs to the nested one only. */
const ownersOf = (paths: readonly string[], stacks: (directory: string) => number[]): Map<string, string> => {
  const owners = new Map<string, string>()
  for (const path of paths) {
    for (let at: string | undefined = path; at !== undefined; at = parentOf(at)) {
      if (stacks(at).length === 0) continue
      owners.set(path, at)
      break
    }
  }
  return owners
}

/**
 * Modules that contain a path, up to the stack that owns it: a change in a module's example stack is not a change of the
 * module.
 */
const markModules = (
  path: string,
  owner: string | undefined,
  modules: ByDirectory,
  { bits, origins, note }: Marks,
): void => {
  for (let at: string | undefined = path; at !== undefined; at = parentOf(at)) {
    for (const module of modules.get(at) ?? []) {
      mark(bits, module, MODULE)
      origins.set(module, module)
      note?.(module, MODULE, () => [path])
    }
    if (at === owner) return
  }
}

/** Stacks that watch a changed path outside their own directory. */
const markWatchers = (
  view: ConfiguredGraph,
  paths: readonly string[],
  touched: ReadonlySet<string>,
  marks: OwnedMarks,
) => {
  const { index, config } = view
  const watcher = watcherOf(paths, touched)
  // without entries in the configuration, only the graph itself says what is watched
  const watching = config.stacks.length === 0 ? index.watching : index.stacks.keys()
  for (const id of watching) {
    const stack = index.stacks[id]
    if (stack === undefined || stack.external) continue
    for (const watched of view.watched(id)) {
      const isOutside = (path: string): boolean => marks.owners.get(path) !== stack.path
      if (!watcher(watched).some(isOutside)) continue
      mark(marks.bits, id, WATCH_PATH)
      marks.note?.(id, WATCH_PATH, () => watcher(watched).filter(isOutside), watched)
    }
  }
}

/** Marks what the changed paths affect directly: stacks by their own and watched files, and local modules. */
export const directlyAffected = (
  view: ConfiguredGraph,
  paths: readonly string[],
  touched: ReadonlySet<string>,
  marks: Marks,
): void => {
  const { bits, note } = marks
  const stacks = stacksIn(view, touched)
  const modules = modulesByDirectory(view, touched)
  const owners = ownersOf(paths, stacks)
  for (const path of paths) {
    const owner = owners.get(path)
    markModules(path, owner, modules, marks)
    if (owner === undefined) continue
    for (const stack of concerned(view, owner, path, stacks(owner))) {
      mark(bits, stack, CHANGED)
      note?.(stack, CHANGED, () => [path])
    }
  }
  markWatchers(view, paths, touched, { bits, owners, note })
}
