import { resolveCommit } from './commits.ts'
import { git, tryGit } from './run-git.ts'

export type TreeEntry = { kind: 'file' | 'dir' | 'symlink' | 'submodule'; blob: string; size: number; path: string }

/** What is at a path of a commit: one entry, or a directory's entries; undefined if there is nothing. */
export const readPath = async (
  dir: string,
  sha: string,
  path: string,
): Promise<TreeEntry | TreeEntry[] | undefined> => {
  if (path === '') return list(dir, sha, [])
  const [entry] = await list(dir, sha, ['--', path])
  return entry?.kind === 'dir' ? list(dir, sha, ['--', `${path}/`]) : entry
}

const list = async (dir: string, sha: string, args: string[]): Promise<TreeEntry[]> => {
  const { code, output } = await tryGit(dir, ['ls-tree', '-z', '--long', '--full-tree', sha, ...args])
  if (code !== 0) return []
  return output
    .toString()
    .split('\0')
    .filter((line) => line !== '')
    .map(parseEntry)
}

const parseEntry = (line: string): TreeEntry => {
  const [meta = '', path = ''] = line.split('\t')
  const [mode = '', type = '', blob = '', size = ''] = meta.split(/ +/)
  const kind = type === 'tree' ? 'dir' : type === 'commit' ? 'submodule' : mode === '120000' ? 'symlink' : 'file'
  return { kind, blob, size: Number(size) || 0, path }
}

export type RawEntry = { path: string; mode: string; type: 'blob' | 'tree' | 'commit'; sha: string; size: number }

/** The tree of a commit, branch or tag, or the tree with the given sha. */
export const resolveTree = async (dir: string, name: string): Promise<string | undefined> => {
  const sha = /^[0-9a-f]{40}$/.test(name) ? name : await resolveCommit(dir, name)
  if (sha === undefined) return undefined
  const { code, output } = await tryGit(dir, ['rev-parse', '--verify', '--quiet', `${sha}^{tree}`])
  return code === 0 ? output.toString().trim() : undefined
}

/** The entries of a tree as git has them; `recursive` adds the contents of its folders, beside the folders. */
export const listTree = async (dir: string, tree: string, recursive: boolean): Promise<RawEntry[]> => {
  const below = recursive ? ['-r', '-t'] : []
  const output = await git(dir, ['ls-tree', '-z', '--long', ...below, tree])
  return output
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [meta = '', path = ''] = line.split('\t')
      const [mode = '', type = '', sha = '', size = ''] = meta.split(/ +/)
      return { path, mode, type: type as RawEntry['type'], sha, size: Number(size) || 0 }
    })
}

export const readBlob = async (dir: string, blob: string): Promise<Buffer> => {
  const { code, output, errors } = await tryGit(dir, ['cat-file', 'blob', blob])
  if (code !== 0) throw new Error(`reading ${blob}: ${errors.trim()}`)
  return output
}

/** Text of one file at a commit or ref; undefined if there is none. */
export const readText = async (dir: string, ref: string, path: string): Promise<string | undefined> => {
  const sha = await resolveCommit(dir, ref)
  if (sha === undefined) return undefined
  const { code, output } = await tryGit(dir, ['cat-file', 'blob', `${sha}:${path}`])
  return code === 0 ? output.toString() : undefined
}

/** Texts of the files directly in a folder of a commit, by path. */
export const readFolder = async (dir: string, sha: string, folder: string): Promise<Map<string, string>> => {
  const entries = await readPath(dir, sha, folder)
  const files = Array.isArray(entries) ? entries.filter((entry) => entry.kind === 'file') : []
  const texts = await Promise.all(files.map((file) => git(dir, ['cat-file', 'blob', file.blob])))
  return new Map(files.map((file, at) => [file.path, texts[at] ?? '']))
}
