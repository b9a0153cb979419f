import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { git, tryGit } from './run-git.ts'

/** File texts by path; null removes the file. */
export type Changes = Record<string, string | null>

export type Person = { name: string; email: string }

export type Commit = {
  sha: string
  tree: string
  parents: string[]
  author: Person & { date: string }
  committer: Person & { date: string }
  message: string
}

/** The sha in events for a branch or a tag that did not exist before, or does not exist any more. */
export const noCommit = '0'.repeat(40)

/** An empty bare repository. */
export const initRepository = async (dir: string, defaultBranch: string): Promise<void> => {
  await git('.', ['init', '--quiet', '--bare', `--initial-branch=${defaultBranch}`, dir])
}

/**
 * Commits changes on a branch and moves it, without a working tree. One fast-import does any number of files in one process
 * (plumbing commands need one for each blob). A text that begins with #! becomes executable.
 */
export const commitChanges = async (
  dir: string,
  wanted: { branch: string; parent: string | undefined; message: string; author: Person; at: Date; changes: Changes },
): Promise<string> => {
  const ref = `refs/heads/${wanted.branch}`
  const who = `${wanted.author.name} <${wanted.author.email}> ${seconds(wanted.at)} +0000`
  const head = [
    `commit ${ref}\nauthor ${who}\ncommitter ${who}\n${data(wanted.message)}`,
    ...(wanted.parent === undefined ? [] : [`from ${wanted.parent}\n`]),
  ]
  const files = Object.entries(wanted.changes).map(([path, text]) =>
    text === null ? `D ${path}\n` : `M ${text.startsWith('#!') ? '100755' : '100644'} inline ${path}\n${data(text)}`,
  )
  await git(dir, ['fast-import', '--quiet', '--force', '--done', '--date-format=raw'], {
    input: [...head, ...files, 'done\n'].join(''),
  })
  return (await git(dir, ['rev-parse', ref])).trim()
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000)

/** The commit a sha, branch or tag names. Takes only names, not git's revision expressions, like GitHub. */
export const resolveCommit = async (dir: string, ref: string): Promise<string | undefined> => {
  if (!/^[\w/][^\s~^:?*[\\]*$/.test(ref) || ref.includes('..') || ref.includes('@{')) return undefined
  const tip = ref.startsWith('refs/heads/') ? await looseRef(dir, ref) : await branchTip(dir, ref)
  if (tip !== undefined) return tip
  const { code, output } = await tryGit(dir, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])
  return code === 0 ? output.toString().trim() : undefined
}

/** The tip of a branch from its own file, without a process; undefined if git stores it in another way. */
const looseRef = async (dir: string, ref: string): Promise<string | undefined> => {
  const text = await readFile(join(dir, ref), 'utf8').catch(() => '')
  return /^[0-9a-f]{40}\n$/.test(text) ? text.trim() : undefined
}

/**
 * The same for a bare name, which is a tag's before it is a branch's; tags may be packed away, so any packed ref is left to
 * git.
 */
const branchTip = async (dir: string, name: string): Promise<string | undefined> => {
  if (/^[0-9a-f]{40}$/.test(name) || name.startsWith('refs/')) return undefined
  const isElsewhere = existsSync(join(dir, 'packed-refs')) || existsSync(join(dir, 'refs/tags', name))
  return isElsewhere ? undefined : looseRef(dir, `refs/heads/${name}`)
}

const fields = ['%H', '%T', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B']

export const readCommit = async (dir: string, sha: string): Promise<Commit> => {
  const text = await git(dir, ['show', '--no-patch', `--format=${fields.join('%x00')}`, sha])
  const [hash = '', tree = '', parents = '', an = '', ae = '', ad = '', cn = '', ce = '', cd = '', body = ''] =
    text.split('\0')
  return {
    sha: hash,
    tree,
    parents: parents.split(' ').filter((parent) => parent !== ''),
    author: { name: an, email: ae, date: utc(ad) },
    committer: { name: cn, email: ce, date: utc(cd) },
    message: body.trimEnd(),
  }
}

/** GitHub writes commit dates in UTC with whole seconds. */
const utc = (date: string): string => new Date(date).toISOString().replace('.000Z', 'Z')

/** Commits in `head` and not in `base`, oldest first. */
export const commitsBetween = async (dir: string, base: string | undefined, head: string): Promise<string[]> => {
  const range = base === undefined ? [head] : [head, `^${base}`]
  const text = await git(dir, ['rev-list', '--reverse', ...range])
  return text.split('\n').filter((line) => line !== '')
}

/** A commit of a finished tree, not yet on any branch. */
export const commitTree = async (
  dir: string,
  wanted: { tree: string; parents: string[]; message: string; author: Person; at: Date },
): Promise<string> => {
  const { name, email } = wanted.author
  const date = `${seconds(wanted.at)} +0000`
  const parents = wanted.parents.flatMap((parent) => ['-p', parent])
  const sha = await git(
    dir,
    ['-c', `user.name=${name}`, '-c', `user.email=${email}`, 'commit-tree', wanted.tree, ...parents, '-F', '-'],
    { input: wanted.message, env: { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date } },
  )
  return sha.trim()
}

export const setRef = async (dir: string, ref: string, sha: string): Promise<void> => {
  await git(dir, ['update-ref', ref, sha])
}

export const deleteRef = async (dir: string, ref: string): Promise<void> => {
  await git(dir, ['update-ref', '-d', ref])
}
