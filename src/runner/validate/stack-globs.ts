import { compileGlob, isLiteral } from '#domain/config/glob.ts'
import { parseStackKey, repositoryPath } from '#domain/keys.ts'
import { type Finding, meant, someOf } from './finding.ts'
import type { Seen } from './seen.ts'

/** The stack that is meant by a name without the directories before it. */
const elsewhere = ({ directories, mayCompare }: Seen, path: string): string | undefined =>
  mayCompare(path, directories.size) ? [...directories].find((directory) => directory.endsWith(`/${path}`)) : undefined

const whyNot = (seen: Seen, glob: string): string => {
  const { directories, names, tree } = seen
  const near = names.directories.nearest(glob)
  if (!isLiteral(glob)) return `'${glob}' matches no stack${meant(near)}`
  const path = repositoryPath(glob) ?? glob
  const real = tree.links.real(path)
  if (real !== path && directories.has(real)) return `'${glob}' is a link: its stack is called '${real}'`
  const key = parseStackKey(path)
  if (key.instance !== undefined && directories.has(key.path))
    return `'${glob}' is the key of an instance, and directories are matched: '${key.path}', with the instance below 'instances'`
  if (names.files.has(path)) return `'${glob}' is in the repository, but no stack${meant(elsewhere(seen, path))}`
  return `'${glob}' is no stack, and not in the repository${meant(near ?? elsewhere(seen, path))}`
}

/** Whether a glob matches any of these names; true where too much was compared already. */
const matchesAny = ({ mayCompare }: Seen, glob: string, names: Iterable<string>): boolean => {
  const matches = compileGlob(glob)
  for (const name of names) if (!mayCompare(glob, isLiteral(glob) ? 1 : name.length) || matches(name)) return true
  return false
}

/** Entries of `stacks` and of `discover.include` that no stack's directory matches. */
export const unmatchedStacks = (seen: Seen): Finding[] => {
  const { config, directories } = seen
  const used = new Set([...directories].flatMap((path) => seen.entriesOf(path).map(({ i }) => i)))
  const entries = config.stacks.flatMap(({ match }, i): Finding[] =>
    used.has(i) ? [] : [{ path: ['stacks', i, 'match'], message: whyNot(seen, match) }],
  )
  const included = config.discover.include.flatMap((glob, i): Finding[] =>
    glob === '**' || matchesAny(seen, glob, directories)
      ? []
      : [{ path: ['discover', 'include', i], message: whyNot(seen, glob) }],
  )
  return [...included, ...entries]
}

/** `instances.from` without a file, told once for all directories of an entry. */
export const unmadeInstances = (seen: Seen): Finding[] => {
  const byEntry = new Map<number, string[]>()
  for (const path of seen.withoutFiles) {
    const of = seen.entriesOf(path).findLast(({ entry }) => entry.instances !== undefined)
    if (of === undefined) continue
    const paths = byEntry.get(of.i) ?? []
    byEntry.set(of.i, paths)
    paths.push(path)
  }
  return [...byEntry].map(([i, paths]) => ({
    path: ['stacks', i, 'instances', 'from'],
    message: `no file matches '${seen.config.stacks[i]?.instances?.from}' from ${someOf(paths)}`,
  }))
}

/** Globs of `checks` that match neither a directory nor a key of a stack. */
export const unmatchedChecks = (seen: Seen): Finding[] => {
  const names = [...new Set([...seen.directories, ...seen.stacks.map(({ key }) => key)])]
  return seen.config.checks.flatMap(({ match = [] }, i) =>
    match.flatMap((glob, j): Finding[] => {
      if (glob === '**' || matchesAny(seen, glob, names)) return []
      const message = `'${glob}' matches no stack's directory or key${meant(seen.names.keys.nearest(glob))}`
      return [{ path: ['checks', i, 'match', j], message }]
    }),
  )
}
