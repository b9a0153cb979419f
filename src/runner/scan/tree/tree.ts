import { readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { blobId } from './blob-id.ts'
import { gitFiles, gitState, type Listing } from './git-files.ts'
import { type Links, linksOf } from './links.ts'
import { walk } from './walk.ts'

/** The files of a checkout and their contents, through links too. Paths are repository-relative. */
export type Tree = {
  /** Of files, and of links to files. */
  paths: () => Iterable<string>
  has: (path: string) => boolean
  /** Git's id of the contents. The file is read only if git does not know its id. */
  id: (path: string) => string | undefined
  text: (path: string) => string | undefined
  links: Links
  /** The directories of submodules. What is in them is another repository's, and is not read. */
  submodules: ReadonlySet<string>
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

const isMissing = (error: unknown): boolean => ['ENOENT', 'EISDIR', 'ENOTDIR'].includes(String(codeOf(error)))

/** What a link says; where links cannot be made, git writes files that say the same. */
const targetOf = (path: string): string => {
  try {
    return readlinkSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'EINVAL') return readFileSync(path, 'utf8')
    if (isMissing(error)) return ''
    throw error
  }
}

/*
 * Files are read one after another, not in parallel: 6,000 of 1.2 KB take 30 ms this way, 100 ms with 32 promises at a time and
 * 45 to 90 ms with callbacks (warm page cache, as after a checkout). A promise costs more than the read.
 */
const treeOf = (dir: string, { files, links: named, submodules }: Listing): Tree => {
  const algorithm = [...files.values()].some((id) => id?.length === 64) ? 'sha256' : 'sha1'
  const read = new Map<string, Buffer | undefined>()

  const links = linksOf(new Map([...named].map((path) => [path, targetOf(join(dir, path))])))
  const linked = [...named].filter((path) => files.has(links.real(path)))

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

  const text = (path: string): string | undefined => (files.has(path) ? contents(path)?.toString('utf8') : undefined)

  return {
    paths: () => (linked.length === 0 ? files.keys() : [...files.keys(), ...linked]),
    has: (path) => id(links.real(path)) !== undefined,
    id: (path) => id(links.real(path)),
    text: (path) => text(links.real(path)),
    links,
    submodules,
  }
}

/**
 * Opens a checkout: through git's index if there is one, else by walking and reading. `stamp` is equal for equal trees. It is set
 * only if git finds nothing that differs from the index: then the index is all there is to compare.
 */
export const openTree = async (dir: string): Promise<{ stamp?: string; tree: () => Promise<Tree> }> => {
  const state = await gitState(dir)
  if (state === undefined) return { tree: async () => treeOf(dir, walk(dir)) }
  const tree = async () => treeOf(dir, (await gitFiles(dir, state)) ?? walk(dir))
  return state.changed.length > 0 ? { tree } : { stamp: state.indexHash, tree }
}
