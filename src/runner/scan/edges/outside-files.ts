import { relative } from 'node:path/posix'
import { escapedForGlob } from '#domain/config/glob.ts'
import type { StackVariant } from '#domain/config/stack-variants.ts'
import { isInside } from '#domain/keys.ts'
import type { Scope } from '../../hcl/traverse.ts'
import type { Directories, ToolName } from '../facts/directories.ts'
import type { FileRead } from '../facts/file-facts.ts'
import { anySetting, scopeOf } from '../state/scope.ts'
import type { Tree } from '../tree/tree.ts'
import { linkedFiles, submoduleOf, watchesOf } from './linked-files.ts'
import { moduleCalls } from './module-calls.ts'
import type { ModuleUses, Use } from './module-edges.ts'
import { readPath } from './read-path.ts'

/*
 * Files outside of a stack's directory that its configuration reads: by functions such as `file` and `templatefile`, through links,
 * and from submodules; and the links that lead to its modules. A string that begins with the module's path and leads out of the
 * directory may be read by what is no function (`source_dir` of an archive), so it counts as well. Of a path that is known only in
 * part, the directory is watched that the known part names.
 */

type Context = {
  directories: Directories
  tree: Tree
  /** Directories that are stacks: what is in one below another's directory is not the other's. */
  stacks: ReadonlySet<string>
  uses: ModuleUses
}

/** Whether a change of a path is seen as one of a directory: it is in it, and in no other stack below. */
const isOf = (path: string, directory: string, stacks: ReadonlySet<string>): boolean => {
  if (!isInside(path, directory)) return false
  for (let at = path; at !== directory && at !== '.'; at = at.slice(0, Math.max(0, at.lastIndexOf('/'))) || '.')
    if (stacks.has(at)) return false
  return true
}

/** The directories of stacks, and all that hold one. */
const holdersOf = (stacks: ReadonlySet<string>): ReadonlySet<string> => {
  const holders = new Set(['.'])
  for (const stack of stacks)
    for (let at = stack; at !== '.' && !holders.has(at); at = at.slice(0, Math.max(0, at.lastIndexOf('/'))) || '.')
      holders.add(at)
  return holders
}

/** Finds the paths and globs to watch for a stack: those of its own code, and of the local modules it uses. */
export const outsideFiles = ({ directories, tree, stacks, uses }: Context) => {
  const linked = linkedFiles(tree, new Set([...directories.all, ...stacks]))
  const calls = moduleCalls({ directories, uses }, ({ reads }) => reads.length)
  const holders = holdersOf(stacks)

  const watchesOfRead = (read: FileRead, directory: string, root: string, scope: Scope): string[] => {
    const found = readPath(read, root, scope)
    if (found === undefined) return []
    const { path, below } = found
    // what holds stacks is where other paths begin, and all in it would be far too much
    if (read.isMereString && (isInside(directory, path) || holders.has(path))) return []
    const end = tree.links.real(path)
    if (end === path && (isOf(path, directory, stacks) || isOf(path, root, stacks))) return []
    return watchesOf(tree, path, read.isMereString && !tree.has(path) ? '**' : below)
  }

  /** The links that lead to a module: whoever points one elsewhere changes the code, and no file. */
  const linksTo = ({ written }: Use, directory: string): string[] => {
    const found = written === undefined ? undefined : tree.links.follow(written)
    if (found === undefined || typeof found === 'string') return []
    return found.past.filter((link) => !isOf(link, directory, stacks)).map(escapedForGlob)
  }

  /** What does not depend on how a module is called, of a directory and the modules that it leads to; it adds these to `reached`. */
  const fixedWatches = (directory: string, tool: ToolName, reached: Set<string>): string[] => {
    const submodule = submoduleOf(tree.submodules, directory)
    const links = uses(directory, tool).flatMap((use) => {
      if (use.directory !== undefined) reached.add(use.directory)
      return linksTo(use, directory)
    })
    return [...(submodule === undefined ? [] : [escapedForGlob(submodule)]), ...(linked.get(directory) ?? []), ...links]
  }

  const isAny = tree.links.all.size > 0 || tree.submodules.size > 0 || directories.hasReads

  return (stack: StackVariant, rootScope: Scope): string[] => {
    if (!isAny) return []
    const { path: root, tool } = stack
    const reached = new Set([root])
    const watched = new Set<string>()
    const read = (directory: string, scope: Scope): void => {
      for (const one of directories.facts(directory, tool).reads)
        for (const path of watchesOfRead(one, directory, root, scope)) watched.add(path)
    }
    for (const directory of reached) for (const path of fixedWatches(directory, tool, reached)) watched.add(path)
    // what each module reads, whoever calls it: defaults and the workspace may be others in a job
    for (const directory of reached) {
      const modulePath = relative(`/${root}`, `/${directory}`)
      const scope = scopeOf(directories.facts(directory, tool), { ...anySetting, modulePath })
      read(directory, directory === root ? rootScope : scope)
    }
    // and what its callers name, as far as that is not too much
    calls(stack, rootScope, (directory, scope) => {
      if (directory !== root) read(directory, scope)
    })
    return [...watched].sort()
  }
}
