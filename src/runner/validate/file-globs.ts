import { compileGlob, escapedForGlob, globBase, isLiteral } from '#domain/config/glob.ts'
import { filled } from '#domain/config/placeholders.ts'
import { stackConfig } from '#domain/config/stack-config.ts'
import { isInside, pathFrom, repositoryPath } from '#domain/keys.ts'
import { type Finding, meant, someOf } from './finding.ts'
import type { Seen } from './seen.ts'

type Lists = 'watch_paths' | 'var_files' | 'backend_config'

/** A text of a list as it is for one stack. */
type Use = { key: string; path: string; value: string }

/** Each text of a list, where it is written and for which stacks it counts: later entries replace a list, instances add to it. */
const usesOf = (
  seen: Seen,
  list: Lists,
  spell?: (value: string) => string,
): { path: Finding['path']; text: string; uses: Use[] }[] => {
  const all = new Map<string, { path: Finding['path']; text: string; uses: Use[] }>()
  const add = (place: Finding['path'], texts: readonly string[], stack: Seen['stacks'][number]): void => {
    for (const [j, text] of texts.entries()) {
      const value = filled(text, stack, spell)
      if (value === undefined) continue
      const path = [...place, list, j]
      const name = path.join('\0')
      const known = all.get(name) ?? { path, text, uses: [] }
      all.set(name, known)
      known.uses.push({ key: stack.key, path: stack.path, value })
    }
  }
  for (const stack of seen.stacks) {
    const { path, instance } = stack
    const entries = seen.entriesOf(path)
    const of = entries.findLast(({ entry }) => entry[list] !== undefined)
    if (of !== undefined) add(['stacks', of.i], of.entry[list] ?? [], stack)
    const own = instance === undefined ? undefined : stackConfig(seen.config, path).instances[instance]?.[list]
    const by = own && entries.findLast(({ entry }) => entry.instances !== undefined)
    if (by !== undefined && instance !== undefined) add(['stacks', by.i, 'instances', instance], own ?? [], stack)
  }
  return [...all.values()]
}

/** Where the paths that begin like this begin in a sorted list. */
const firstAt = (paths: readonly string[], beginning: string): number => {
  let [low, high] = [0, paths.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((paths[middle] ?? '') < beginning) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether a glob matches a file; of a submodule, whose files nobody sees here, it is enough that the glob leads into it. */
const fileMatcher = ({ paths, names, tree, mayCompare }: Seen): ((glob: string) => boolean) => {
  const known = new Map<string, boolean>()
  const look = (glob: string): boolean => {
    if (isLiteral(glob)) return names.files.has(repositoryPath(glob) ?? glob)
    const [matches, base] = [compileGlob(glob), globBase(glob)]
    if ([...tree.submodules].some((path) => base === path || isInside(base, path))) return true
    for (let at = firstAt(paths, base); paths[at]?.startsWith(base); at += 1) {
      const path = paths[at] ?? ''
      if (!mayCompare(glob, path.length) || matches(path)) return true
    }
    return false
  }
  return (glob) => {
    const found = known.get(glob) ?? look(glob)
    known.set(glob, found)
    return found
  }
}

const exampleOf = (text: string, { value }: Use): string => (value === text ? '' : `, such as '${value}'`)

/** Globs of watch_paths that match no file for any of their stacks: for some of them is what placeholders are for. */
const unmatchedWatches = (seen: Seen): Finding[] => {
  const isThere = fileMatcher(seen)
  return usesOf(seen, 'watch_paths', escapedForGlob).flatMap(({ path, text, uses }): Finding[] => {
    const [first] = uses
    if (first === undefined || uses.some(({ value }) => isThere(value))) return []
    const base = isLiteral(text) ? text : globBase(text)
    const real = seen.tree.links.real(base)
    const hint = real === base ? meant(seen.names.files.nearest(text)) : `: '${base}' is a link to '${real}'`
    return [{ path, message: `'${text}' matches no file${exampleOf(text, first)}${hint}` }]
  })
}

const missingFiles = (seen: Seen, list: 'var_files' | 'backend_config'): Finding[] =>
  usesOf(seen, list).flatMap(({ path, text, uses }): Finding[] => {
    if (list === 'backend_config' && /^[A-Za-z_][\w-]*=/.test(text)) return []
    const missing = uses.filter((use) => {
      const file = pathFrom(use.path, use.value)
      return file === undefined || !seen.tree.has(file)
    })
    const [first] = missing
    if (first === undefined) return []
    const file = pathFrom(first.path, first.value)
    const where =
      file === undefined ? 'is outside of the repository' : `is not in the repository: there is no '${file}'`
    const near =
      file === undefined || seen.names.files.has(file) ? undefined : seen.names.files.nearest(escapedForGlob(file))
    return [
      {
        path,
        message: `'${text}' of ${someOf(missing.map(({ key }) => key))} ${where}${near === undefined ? '' : `, but '${near}'`}`,
      },
    ]
  })

/**
 * Globs that leave out a place that is not there. One for a kind of file (`**` + `/*.md`) may have none yet, so only the names that
 * it begins with are looked for.
 */
const nowhere = (seen: Seen, path: Finding['path'], globs: readonly string[]): Finding[] =>
  globs.flatMap((glob, i): Finding[] => {
    const base = isLiteral(glob) ? (repositoryPath(glob) ?? glob) : globBase(glob)
    if (base === '' || seen.names.files.has(base)) return []
    return [
      {
        path: [...path, i],
        message: `'${glob}' matches nothing: there is no '${base}'${meant(seen.names.files.nearest(glob))}`,
      },
    ]
  })

/** Whatever in svc.yml names files that the tree does not have. */
export const missingPaths = (seen: Seen): Finding[] => [
  ...nowhere(seen, ['discover', 'exclude'], seen.config.discover.exclude),
  ...nowhere(seen, ['ignore'], seen.config.ignore),
  ...unmatchedWatches(seen),
  ...missingFiles(seen, 'var_files'),
  ...missingFiles(seen, 'backend_config'),
]
