import { git } from './run-git.ts'

export type FileChange = {
  path: string
  previousPath: string | undefined
  status: 'added' | 'removed' | 'modified' | 'renamed' | 'copied' | 'changed'
  /** Blob of the new text, or of the old one if removed. */
  blob: string
  additions: number
  deletions: number
}

const statusOf: Record<string, FileChange['status']> = {
  A: 'added',
  D: 'removed',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'changed',
}

/** The differences between two commits, renames found, in order of path. `from` undefined: everything is new. */
export const diffCommits = async (dir: string, from: string | undefined, to: string): Promise<FileChange[]> => {
  const start = from ?? (await git(dir, ['hash-object', '-t', 'tree', '--stdin'])).trim()
  // Git knows the empty tree without storing it, so its id is enough.
  const range = ['-r', '-z', '-M', start, to]
  const [raw, counts] = await Promise.all([
    git(dir, ['diff-tree', '--raw', '--no-abbrev', ...range]),
    git(dir, ['diff-tree', '--numstat', ...range]),
  ])
  const lines = parseCounts(counts)
  return parseRaw(raw).map((change) => ({ ...change, ...(lines.get(change.path) ?? { additions: 0, deletions: 0 }) }))
}

/** The commit at which a branch left its base: a pull request is compared with it. */
export const mergeBase = async (dir: string, base: string, head: string): Promise<string> =>
  (await git(dir, ['merge-base', base, head])).trim()

const parseRaw = (raw: string): Omit<FileChange, 'additions' | 'deletions'>[] => {
  const parts = raw.split('\0')
  const changes: Omit<FileChange, 'additions' | 'deletions'>[] = []
  for (let at = 0; at + 1 < parts.length; ) {
    const [, , oldBlob = '', newBlob = '', letter = ''] = (parts[at++] ?? '').split(' ')
    const status = statusOf[letter.charAt(0)] ?? 'changed'
    const first = parts[at++] ?? ''
    const moved = status === 'renamed' || status === 'copied'
    const path = moved ? (parts[at++] ?? '') : first
    const blob = status === 'removed' ? oldBlob : newBlob
    changes.push({ path, previousPath: moved ? first : undefined, status, blob })
  }
  return changes
}

/** `added TAB deleted TAB path`, or with a rename an empty path and two more fields; a dash means binary. */
const parseCounts = (counts: string): Map<string, { additions: number; deletions: number }> => {
  const parts = counts.split('\0')
  const found = new Map<string, { additions: number; deletions: number }>()
  for (let at = 0; at + 1 < parts.length; ) {
    const [added = '', deleted = '', inline = ''] = (parts[at++] ?? '').split('\t')
    const path = inline === '' ? (parts[at + 1] ?? '') : inline
    if (inline === '') at += 2
    found.set(path, { additions: Number(added) || 0, deletions: Number(deleted) || 0 })
  }
  return found
}
