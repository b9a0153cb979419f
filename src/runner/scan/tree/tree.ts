import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { blobId } from './blob-id.ts'
import { type Files, gitFiles, gitState } from './git-files.ts'
import { walk } from './walk.ts'

/** The files of a checkout and their contents. Paths are repository-relative. */
export type Tree = {
  paths: () => Iterable<string>
  has: (path: string) => boolean
  /** Git's id of the contents. The file is read only if git does not know its id. */
  id: (path: string) => string | undefined
  text: (path: string) => string | undefined
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR')

/*
 * Files are read one after another, not in parallel: 6,000 of 1.2 KB take 30 ms this way, 100 ms with 32 promises at a time and
 * 45 to 90 ms with callbacks (warm page cache, as after a checkout). A promise costs more than the read.
 */
const treeOf = (dir: string, files: Files): Tree => {
  const algorithm = [...files.values()].some((id) => id?.length === 64) ? 'sha256' : 'sha1'
  const read = new Map<string, Buffer | undefined>()

  const contents = (path: string): Buffer | undefined => {
    if (read.has(path)) return read.get(path)
    let buffer: Buffer | undefined
    try {
      buffer = readFileSync(join(dir, path))
    } catch (error) {
      if (!isMissing(error)) throw error
      files.delete(path)
    }
    read.set(path, buffer)
    return buffer
  }

  const id = (path: string): string | undefined => {
    const known = files.get(path)
    if (known !== undefined || !files.has(path)) return known
    const buffer = contents(path)
    if (buffer === undefined) return undefined
    const made = blobId(buffer, algorithm)
    files.set(path, made)
    return made
  }

  return {
    paths: () => files.keys(),
    has: (path) => id(path) !== undefined,
    id,
    text: (path) => (files.has(path) ? contents(path)?.toString('utf8') : undefined),
  }
}

/**
 * Opens a checkout: through git's index if there is one, else by walking and reading. `stamp` is equal for equal trees. It is set
 * only if git finds nothing that differs from the index: then the index is all there is to compare.
 */
export const openTree = async (dir: string): Promise<{ stamp?: string; tree: () => Promise<Tree> }> => {
  const state = await gitState(dir)
  const walked = (): Files => new Map(walk(dir).map((path) => [path, undefined]))
  if (state === undefined) return { tree: async () => treeOf(dir, walked()) }
  const tree = async () => treeOf(dir, (await gitFiles(dir, state)) ?? walked())
  return state.changed.length > 0 ? { tree } : { stamp: state.indexHash, tree }
}
