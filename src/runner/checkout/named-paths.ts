import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve as resolvePath } from 'node:path'
import { repositoryPath } from '#domain/keys.ts'
import { Problem } from '#errors.ts'
import type { Output } from '../output/output.ts'
import { askGit } from './git.ts'

/** As git names it: past links to directories, and a link itself where that is the last name. */
const asGitHas = (path: string): string => {
  try {
    return join(realpathSync(dirname(path)), basename(path))
  } catch {
    // its directory is gone with it
    return path
  }
}

const fromRoot = (root: string, cwd: string, path: string): string => {
  const found = repositoryPath(relative(asGitHas(root), asGitHas(resolvePath(cwd, path))) || '.')
  if (found === undefined) throw new Problem('invalid', `--changed=${path}: is not in the repository at ${root}`)
  return found
}

/** A file that a change deletes is in the commit that is checked out, though no longer in the directory. */
const isThere = async (root: string, path: string): Promise<boolean> =>
  lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined ||
  (await askGit(root, 'cat-file', '-e', `HEAD:${path}`)) !== undefined

/**
 * The paths of --changed as a shell completes them, from the current directory, turned into paths of the repository. One that is
 * nowhere is warned of: misspelt, it would affect nothing and look as if the change did.
 */
export const namedPaths = async (
  root: string,
  { cwd, output }: { cwd: string; output: Output },
  named: readonly string[],
): Promise<string[]> => {
  const paths = named.map((path) => fromRoot(root, cwd, path))
  for (const [i, path] of paths.entries())
    if (!(await isThere(root, path)))
      output.warn(`--changed=${named[i]}: there is no ${path} here, nor in the commit that is checked out`)
  return paths
}
