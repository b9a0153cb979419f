import { parentOf, watcherOf } from './changed-paths.ts'
import type { ModuleNode } from './graph.ts'
import type { GraphView } from './graph-view.ts'
import { parseQualifiedKey, repositoryPath } from './keys.ts'
import { CHANGED, MODULE, WATCH_PATH } from './reasons.ts'
import { namedFiles, stackVariants } from './stack-config.ts'

type Marks = { bits: Uint8Array; origin: Int32Array }
type ByDirectory = Map<string, number[]>

/** Files that the tool reads without being told to: they concern every instance, whatever names them. */
const READ_ANYWAY = /\.(tf|tofu)(\.json)?$|(^|\/)terraform\.tfvars(\.json)?$|\.auto\.tfvars(\.json)?$/

const add = (map: ByDirectory, directory: string, node: number): void => {
  const nodes = map.get(directory)
  if (nodes === undefined) map.set(directory, [node])
  else nodes.push(node)
}

const stacksByDirectory = ({ index: { stacks } }: GraphView, touched: ReadonlySet<string>): ByDirectory => {
  const out: ByDirectory = new Map()
  for (const [i, stack] of stacks.entries()) if (!stack.external && touched.has(stack.path)) add(out, stack.path, i)
  return out
}

/** Where a local module's code is; its key says it too: `owner/repo//modules/vpc`. */
const moduleDirectory = ({ kind, path, key }: ModuleNode): string | undefined => {
  if (kind !== 'local') return undefined
  return repositoryPath(path ?? parseQualifiedKey(key)?.key ?? '')
}

const modulesByDirectory = ({ index: { stacks, modules } }: GraphView, touched: ReadonlySet<string>): ByDirectory => {
  const out: ByDirectory = new Map()
  for (const [i, module] of modules.entries()) {
    const directory = moduleDirectory(module)
    if (directory !== undefined && touched.has(directory)) add(out, directory, stacks.length + i)
  }
  return out
}

/**
 * Of a directory's stacks, those that a changed file in it concerns. All of them, unless the configuration gives the file to
 * some instances by name (`prod.tfvars`) and the tool would not read it otherwise.
 */
const concerned = ({ index, config }: GraphView, directory: string, path: string, all: number[]): number[] => {
  if (all.length < 2 || READ_ANYWAY.test(path)) return all
  const named = stackVariants(config, directory).filter((variant) => namedFiles(variant).includes(path))
  if (named.length === 0) return all
  const keys = new Set(named.map(({ key }) => key))
  return all.filter((stack) => keys.has(index.stacks[stack]?.key ?? ''))
}

/** The deepest stack directory that holds each path: a file in a nested stack belongs to the nested one only. */
const ownersOf = (paths: readonly string[], directories: ByDirectory): Map<string, string> => {
  const owners = new Map<string, string>()
  for (const path of paths) {
    for (let at: string | undefined = path; at !== undefined; at = parentOf(at)) {
      if (!directories.has(at)) continue
      owners.set(path, at)
      break
    }
  }
  return owners
}

/** Modules that hold a path, up to the stack that owns it: a change in a module's example stack is no change of the module. */
const markModules = (path: string, owner: string | undefined, modules: ByDirectory, { bits, origin }: Marks): void => {
  for (let at: string | undefined = path; at !== undefined; at = parentOf(at)) {
    for (const module of modules.get(at) ?? []) {
      bits[module] = (bits[module] as number) | MODULE
      origin[module] = module
    }
    if (at === owner) return
  }
}

/** Marks what the changed paths affect directly: stacks by their own files and by watched ones, and local modules. */
export const seedAffected = (
  view: GraphView,
  paths: readonly string[],
  touched: ReadonlySet<string>,
  marks: Marks,
): void => {
  const { bits } = marks
  const stacks = stacksByDirectory(view, touched)
  const modules = modulesByDirectory(view, touched)
  const owners = ownersOf(paths, stacks)
  for (const path of paths) {
    const owner = owners.get(path)
    markModules(path, owner, modules, marks)
    if (owner === undefined) continue
    for (const stack of concerned(view, owner, path, stacks.get(owner) ?? [])) {
      bits[stack] = (bits[stack] as number) | CHANGED
    }
  }
  const watcher = watcherOf(paths, touched)
  for (const [i, stack] of view.index.stacks.entries()) {
    if (stack.external) continue
    for (const watched of view.watched(i)) {
      if (watcher(watched).some((path) => owners.get(path) !== stack.path)) bits[i] = (bits[i] as number) | WATCH_PATH
    }
  }
}
