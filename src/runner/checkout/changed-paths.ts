import { Problem } from '#errors.ts'
import { askGit, entries, git } from './git.ts'

const mergeBase = async (root: string, base: string, head: string): Promise<string> => {
  const found = (await askGit(root, 'merge-base', base, head))?.trim()
  if (found) return found
  const isShallow = (await askGit(root, 'rev-parse', '--is-shallow-repository'))?.trim() === 'true'
  if ((await askGit(root, 'rev-parse', '--verify', '--quiet', `${base}^{commit}`)) === undefined)
    throw new Problem('invalid', `git knows no commit ${base} here${isShallow ? ': the checkout is shallow' : ''}`)
  const hint = isShallow ? ': the checkout is shallow, and needs all history (fetch-depth: 0 of actions/checkout)' : ''
  throw new Problem('invalid', `${base} and ${head} have no commit in common${hint}`)
}

/** Both names of a renamed file, since its old path changed as well. */
const diff = async (root: string, ...range: string[]): Promise<string[]> =>
  entries(await git(root, 'diff', '--name-only', '-z', '--no-renames', ...range, '--'))

/** Repository-relative paths that a pull request changes, compared with where it left its base, not with the base now. */
export const changedBetween = async (root: string, base: string, head: string): Promise<string[]> =>
  diff(root, await mergeBase(root, base, head), head)

/** The same for the files in the work tree, with uncommitted and new ones. */
export const changedSince = async (root: string, base: string): Promise<string[]> => {
  const tracked = await diff(root, await mergeBase(root, base, 'HEAD'))
  const added = entries(await git(root, 'ls-files', '--others', '--exclude-standard', '-z'))
  return [...new Set([...tracked, ...added])]
}
