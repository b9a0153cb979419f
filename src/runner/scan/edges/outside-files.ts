import { relative } from 'node:path/posix'
import { escapedForGlob, globProblem } from '#domain/config/glob.ts'
import { isInside, pathFrom } from '#domain/keys.ts'
import { beginningOf, textOf } from '../../hcl/evaluate.ts'
import type { Scope } from '../../hcl/traverse.ts'
import type { Directories, ToolName } from '../facts/directories.ts'
import type { FileRead } from '../facts/file-facts.ts'
import { anySetting, scopeOf } from '../state/scope.ts'
import type { Tree } from '../tree/tree.ts'
import { linkedFiles, submoduleOf, watchesOf } from './linked-files.ts'
import type { ModuleUses, Use } from './module-edges.ts'

/*
 * Files outside of a stack's directory that its configuration reads: by functions such as `file` and `templatefile`, through links,
 * and from submodules; and the links that lead to its modules. Of a path that is known only in part, the directory is watched that the known part names.
 */

type Context = {
  directories: Directories
  tree: Tree
  /** Directories that are stacks: what is in one below another's directory is not the other's. */
  stacks: ReadonlySet<string>
  uses: ModuleUses
}

type Read = { path: string; below: string }

const isPattern = (glob: string | undefined): glob is string => glob !== undefined && globProblem(glob) === undefined

/** What a call reads: a path, and for many files the glob below it. Paths are relative to where the tool runs. */
const readOf = (read: FileRead, root: string, scope: Scope): Read | undefined => {
  const found = beginningOf(read.path, scope)
  if (found === undefined) return undefined
  const { text, isWhole } = found
  const path = pathFrom(root, isWhole ? text : `./${text.slice(0, text.lastIndexOf('/') + 1)}`)
  if (path === undefined || text.startsWith('/')) return undefined
  if (!isWhole) return { path, below: '**' }
  if (read.pattern === undefined) return { path, below: '' }
  const pattern = textOf(read.pattern, scope)
  return { path, below: isPattern(pattern) ? pattern : '**' }
}

/** Whether a change of a path is seen as one of a directory: it is in it, and in no other stack below. */
const isOf = (path: string, directory: string, stacks: ReadonlySet<string>): boolean => {
  if (!isInside(path, directory)) return false
  for (let at = path; at !== directory && at !== '.'; at = at.slice(0, Math.max(0, at.lastIndexOf('/'))) || '.')
    if (stacks.has(at)) return false
  return true
}

/** Finds the paths and globs to watch for a stack, whose code is in `roots`: those of its own, and of the local modules it uses. */
export const outsideFiles = ({ directories, tree, stacks, uses }: Context) => {
  const linked = linkedFiles(tree, new Set([...directories.all, ...stacks]))

  const readsOf = (directory: string, root: string, tool: ToolName, scope: Scope): string[] =>
    directories.facts(directory, tool).reads.flatMap((one) => {
      const read = readOf(one, root, scope)
      if (read === undefined) return []
      const end = tree.links.real(read.path)
      return isOf(end, directory, stacks) && end === read.path ? [] : watchesOf(tree, read.path, read.below)
    })

  /** The links that lead to a module: whoever points one elsewhere changes the code, and no file. */
  const linksTo = ({ written }: Use, directory: string): string[] => {
    const found = written === undefined ? undefined : tree.links.follow(written)
    if (found === undefined || typeof found === 'string') return []
    return found.past.filter((link) => !isOf(link, directory, stacks)).map(escapedForGlob)
  }

  const isAny = tree.links.all.size > 0 || tree.submodules.size > 0 || directories.hasReads

  return (root: string, tool: ToolName, rootScope: Scope): string[] => {
    if (!isAny) return []
    const seen = new Set([root])
    const watched = new Set<string>()
    for (const directory of seen) {
      const facts = directories.facts(directory, tool)
      const modulePath = relative(`/${root}`, `/${directory}`)
      const scope = directory === root ? rootScope : scopeOf(facts, { ...anySetting, modulePath })
      const submodule = submoduleOf(tree.submodules, directory)
      if (submodule !== undefined) watched.add(escapedForGlob(submodule))
      for (const path of [...(linked.get(directory) ?? []), ...readsOf(directory, root, tool, scope)]) watched.add(path)
      for (const use of uses(directory, tool)) {
        for (const link of linksTo(use, directory)) watched.add(link)
        if (use.directory !== undefined) seen.add(use.directory)
      }
    }
    return [...watched].sort()
  }
}
