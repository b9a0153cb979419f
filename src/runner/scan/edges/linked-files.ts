import { escapedForGlob } from '#domain/config/glob.ts'
import { isInside } from '#domain/keys.ts'
import { limits } from '#domain/limits.ts'
import type { Tree } from '../tree/tree.ts'

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/'))) || '.'

/** All directories above some, and themselves. */
const withAbove = (directories: Iterable<string>): Set<string> => {
  const all = new Set<string>(['.'])
  for (const directory of directories) for (let at = directory; !all.has(at); at = parentOf(at)) all.add(at)
  return all
}

/** What to watch of a path besides itself: the links that it leads past, and where it ends; a directory with all that is in it. */
export const watchesOf = (
  { links, submodules }: Pick<Tree, 'links' | 'submodules'>,
  path: string,
  below = '',
): string[] => {
  const found = links.follow(path)
  if (typeof found === 'string') return [escapedForGlob(path)]
  const end = escapedForGlob(found.path)
  const watches = [...found.past.map(escapedForGlob), below === '' ? end : end === '.' ? below : `${end}/${below}`]
  const submodule = submoduleOf(submodules, found.path)
  return submodule === undefined ? watches : [...watches, escapedForGlob(submodule)]
}

/** The submodule that a path is in. Its commit changes as one path, whatever changes below it. */
export const submoduleOf = (submodules: ReadonlySet<string>, path: string): string | undefined => {
  if (submodules.size === 0 || path.length > limits.pathChars) return undefined
  for (let at = path; at !== '.'; at = parentOf(at)) if (submodules.has(at)) return at
  return undefined
}

/**
 * What the links of each directory of configuration lead to, outside of it. A linked directory is watched as a whole if there is no
 * configuration in it: modules have edges, and what they read is watched for itself.
 */
export const linkedFiles = (tree: Tree, homes: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> => {
  const linked = new Map<string, string[]>()
  if (tree.links.all.size === 0) return linked
  const holding = withAbove(homes)
  for (const link of tree.links.all.keys()) {
    let home = parentOf(link)
    while (home !== '.' && !homes.has(home)) home = parentOf(home)
    const found = tree.links.follow(link)
    if (!homes.has(home) || typeof found === 'string' || isInside(found.path, home)) continue
    const isConfiguration = holding.has(found.path)
    const all = tree.has(link) || isConfiguration ? watchesOf(tree, link) : watchesOf(tree, link, '**')
    const watches = isConfiguration ? all.filter((path) => path !== escapedForGlob(found.path)) : all
    const others = watches.filter((path) => path !== escapedForGlob(link))
    const known = linked.get(home)
    if (known === undefined) linked.set(home, others)
    else known.push(...others)
  }
  return linked
}
