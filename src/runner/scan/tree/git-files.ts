import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Paths with the blob id that git has for them; undefined for a file that differs from the index, or is not in it. */
export type Files = Map<string, string | undefined>

/** What a checkout consists of: its regular files, its symbolic links, and the directories of its submodules. */
export type Listing = { files: Files; links: Set<string>; submodules: Set<string> }

/** The files that differ from git's index or are not in it, and a hash of the index file: equal for an equal index. */
export type GitState = { indexHash: string; changed: string[] }

/** Standard output of git; undefined if it cannot be run or fails (no git, or another user's checkout). */
const git = (dir: string, args: readonly string[]): Promise<Buffer | undefined> =>
  new Promise((done) => {
    const chunks: Buffer[] = []
    const child = spawn('git', ['-C', dir, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', () => done(undefined))
    child.on('close', (code) => done(code === 0 ? Buffer.concat(chunks) : undefined))
  })

const paths = (output: Buffer): string[] => output.toString('utf8').split('\0').slice(0, -1)

/** The checkout's own git directory: `.git`, or the directory that a worktree's `.git` file names. */
const gitDirectory = (dir: string): string => {
  const own = join(dir, '.git')
  if (statSync(own).isDirectory()) return own
  return resolve(
    dir,
    readFileSync(own, 'utf8')
      .replace(/^gitdir:\s*/, '')
      .trimEnd(),
  )
}

const hashOfIndex = (dir: string): string | undefined => {
  try {
    return createHash('sha256')
      .update(readFileSync(join(gitDirectory(dir), 'index')))
      .digest('hex')
  } catch {
    return undefined
  }
}

/**
 * Asks git which files differ from its index, without ignored ones, and without reading a file. Two processes run at once: for
 * 8,100 files changed takes 16 ms and untracked 19, while one process for both takes 31 to 45. Undefined if `dir` is not the top
 * of a checkout: inside another checkout, that one's ignore rules would apply.
 */
export const gitState = async (dir: string): Promise<GitState | undefined> => {
  const indexHash = hashOfIndex(dir)
  if (indexHash === undefined) return undefined
  const [changed, untracked] = await Promise.all([
    git(dir, ['ls-files', '-m', '-d', '-z']),
    git(dir, ['ls-files', '-o', '--exclude-standard', '-z']),
  ])
  if (changed === undefined || untracked === undefined) return undefined
  return { indexHash, changed: [...paths(changed), ...paths(untracked)] }
}

const LINK = '120000'
const SUBMODULE = '160000'

/** A file that differs from the index may have become a link, or no longer be one. */
const addChanged = (dir: string, { files, links, submodules }: Listing, changed: readonly string[]): void => {
  for (const path of changed) {
    if (path.endsWith('/') || submodules.has(path)) continue
    const isLink = lstatSync(join(dir, path), { throwIfNoEntry: false })?.isSymbolicLink() === true
    if (isLink) files.delete(path)
    else files.set(path, undefined)
    if (isLink) links.add(path)
    else links.delete(path)
  }
}

/**
 * What git knows of a checkout. The index lists files as `H 100644 <id> 0\t<path>`. The index of a sparse checkout also lists
 * files that are not there (S).
 */
export const gitFiles = async (dir: string, { changed }: GitState): Promise<Listing | undefined> => {
  const index = await git(dir, ['ls-files', '-s', '-t', '-z'])
  if (index === undefined) return undefined
  const listing: Listing = { files: new Map(), links: new Set(), submodules: new Set() }
  for (const entry of paths(index)) {
    const tab = entry.indexOf('\t')
    const [tag, mode, id, stage] = entry.slice(0, tab).split(' ')
    if (mode === SUBMODULE) listing.submodules.add(entry.slice(tab + 1))
    else if (tag === 'S') continue
    else if (mode === LINK) listing.links.add(entry.slice(tab + 1))
    else listing.files.set(entry.slice(tab + 1), stage === '0' ? id : undefined)
  }
  addChanged(dir, listing, changed)
  return listing
}
