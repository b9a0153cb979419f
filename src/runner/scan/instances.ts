import type { RepoConfig } from '#domain/config/config-file.ts'
import { type FilePattern, filePattern } from '#domain/config/instances-from.ts'
import { stackConfig } from '#domain/config/stack-config.ts'
import { isInstanceName } from '#domain/keys.ts'
import { Problem } from '#errors.ts'
import type { Warn } from './warning.ts'

/** Of a whole repository. More is a glob that means something else, and would be a graph too large to send. */
const MAX_FOUND = 20_000

/** The names in each directory, of files and of directories. */
const namesByDirectory = (paths: readonly string[]): Map<string, Set<string>> => {
  const names = new Map<string, Set<string>>()
  for (const path of paths) {
    for (let at = path; at !== ''; ) {
      const slash = at.lastIndexOf('/')
      const [directory, name] = [at.slice(0, Math.max(0, slash)), at.slice(slash + 1)]
      const known = names.get(directory)
      if (known?.has(name)) break
      if (known === undefined) names.set(directory, new Set([name]))
      else known.add(name)
      at = directory
    }
  }
  return names
}

/** What the star of a pattern stands for in the paths that it matches, sorted. */
const starsOf = (paths: readonly string[]): ((pattern: FilePattern) => readonly string[]) => {
  const files = new Set(paths)
  const names = namesByDirectory(paths)
  const known = new Map<string, readonly string[]>()
  const look = ({ before, after }: FilePattern): string[] => {
    const slash = before.lastIndexOf('/')
    const [first, last] = [before.slice(slash + 1), after.split('/', 1)[0] ?? '']
    const stars: string[] = []
    for (const name of names.get(before.slice(0, Math.max(0, slash))) ?? []) {
      const star = name.slice(first.length, name.length - last.length)
      if (star !== '' && name === first + star + last && files.has(before + star + after)) stars.push(star)
    }
    return stars.sort()
  }
  return (pattern) => {
    const name = `${pattern.before}\0${pattern.after}`
    const found = known.get(name) ?? look(pattern)
    known.set(name, found)
    return found
  }
}

/** Whether a file may make an instance under any entry of the configuration, as far as the end of its name says. */
export const mayNameInstance = ({ stacks }: RepoConfig): ((path: string) => boolean) => {
  const ends = new Set<string>()
  for (const { instances } of stacks)
    if (typeof instances?.from === 'string') ends.add(instances.from.split(/[*}/]/).at(-1) ?? '')
  const all = [...ends]
  return (path) => all.some((end) => path.endsWith(end))
}

/**
 * Finds the names that files of the tree give to the instances of a directory, as its `instances.from` says. Warns if there are
 * none, and of those that are no instance names. Throws a Problem for more than 20,000.
 */
export const instanceFinder = (
  config: RepoConfig,
  paths: readonly string[],
  warn: Warn,
): ((path: string) => string[]) => {
  let stars: ReturnType<typeof starsOf> | undefined
  let count = 0
  return (path) => {
    const { instances_from: from, instances } = stackConfig(config, path)
    if (from === undefined) return []
    stars ??= starsOf(paths)
    const pattern = filePattern(from, path)
    const found = pattern === undefined ? [] : stars(pattern)
    const names = found.filter(isInstanceName)
    for (const star of found) {
      if (isInstanceName(star)) continue
      const file = `${pattern?.before}${star}${pattern?.after}`
      warn({ code: 'no_instance', message: `${path}: ${file} makes no instance: '${star}' cannot be its name`, file })
    }
    if (names.length === 0) {
      const left = Object.keys(instances).length === 0 ? 'is no stack' : 'has only the instances that are named'
      const message = `${path}: no file matches instances.from, ${from}: ${path} ${left}`
      warn({ code: 'no_instance', message, stacks: [path] })
    }
    count += names.length
    if (count > MAX_FOUND)
      throw new Problem(
        'invalid',
        `svc.yml: instances.from makes more than ${MAX_FOUND} instances, at ${path}: ${from}`,
      )
    return names
  }
}
