import { relative, resolve } from 'node:path'

/** A path from a workflow file, relative to the first of the roots; throws if it leads out of all of them. */
export const pathWithin = (roots: readonly [string, ...string[]], path: string): string => {
  const full = resolve(roots[0], path)
  if (roots.every((root) => relative(root, full).split('/')[0] === '..'))
    throw new Error(`path '${path}' is not under '${roots[0]}'`)
  return full
}
