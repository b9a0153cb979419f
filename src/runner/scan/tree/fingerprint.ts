import { createHash } from 'node:crypto'
import type { Tree } from './tree.ts'

/** Files by path with their blob ids. A path that was looked up and does not exist has no id. */
export type Fingerprint = Record<string, string | null>

/** JSON with the members of every object in order: equal values give equal texts. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

export const fingerprint = (tree: Tree, paths: Iterable<string>): Fingerprint =>
  Object.fromEntries([...paths].map((path) => [path, tree.id(path) ?? null]))

/**
 * One hash over paths and contents, and over everything else an answer depends on (`said`). It is equal wherever the same files
 * are: paths are sorted by code units, which no locale changes, and ids are the ones git gives to contents.
 */
export const hashOf = (files: Fingerprint, said: readonly string[]): string => {
  const lines = Object.keys(files)
    .sort()
    .map((path) => `${path}\0${files[path] ?? '-'}\n`)
  return createHash('sha256')
    .update(`${said.join('\0')}\0\0${lines.join('')}`)
    .digest('hex')
}
