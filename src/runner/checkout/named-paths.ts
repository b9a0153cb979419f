import { relative, resolve as resolvePath } from 'node:path'
import { repositoryPath } from '#domain/keys.ts'
import { Problem } from '#errors.ts'

/** Paths as a shell completes them, from the current directory, turned into paths of the repository. */
export const fromRoot = (root: string, cwd: string, path: string): string => {
  const found = repositoryPath(relative(root, resolvePath(cwd, path)) || '.')
  if (found === undefined) throw new Problem('invalid', `--changed=${path}: is not in the repository at ${root}`)
  return found
}
