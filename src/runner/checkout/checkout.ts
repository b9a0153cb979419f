import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Problem } from '#errors.ts'
import type { Environment } from '../environment.ts'
import { askGit } from './git.ts'

/** A checkout of a repository. */
export type Checkout = {
  /** Its top directory. A directory that git does not know counts as its own top. */
  root: string
  /** The commit that is checked out; undefined without git. */
  head: string | undefined
}

const trimmed = (text: string | undefined): string | undefined => text?.trim() || undefined

/** The checkout that a directory is in. */
export const openCheckout = async (dir: string): Promise<Checkout> => {
  const [top, head] = await Promise.all([
    askGit(dir, 'rev-parse', '--show-toplevel'),
    askGit(dir, 'rev-parse', '--verify', '--quiet', 'HEAD'),
  ])
  return { root: trimmed(top) ?? resolve(dir), head: trimmed(head) }
}

/** A directory named on the command line. Throws a Problem if there is none. */
export const directoryAt = async (path: string): Promise<string> => {
  const isDirectory = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isDirectory) throw new Problem('not_found', `${path}: is not a directory`)
  return path
}

export type Origin = { repo: string; codehost: string }

/** `https://host/owner/name.git`, `ssh://git@host:22/owner/name` and `git@host:owner/name`. */
const parseRemote = (url: string): Origin | undefined => {
  const parts = /^(?:[a-z+]+:\/\/(?:[^@/]*@)?|[^@/]*@)([^:/]+)(?::\d+)?[:/](.*)$/.exec(url)
  const [, host, path = ''] = parts ?? []
  const [owner = '', name = ''] = path
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .slice(-2)
  return host === undefined || owner === '' || name === '' ? undefined : { repo: `${owner}/${name}`, codehost: host }
}

/** The repository's name and host: from the job, else from the remote, else from the directory's name. */
export const originOf = async (root: string, { github }: Environment, named?: string): Promise<Origin> => {
  const remote = parseRemote(trimmed(await askGit(root, 'remote', 'get-url', 'origin')) ?? '')
  const server = github.serverUrl === undefined ? undefined : URL.parse(github.serverUrl)?.host
  return {
    repo: named ?? github.repository ?? remote?.repo ?? `local/${basename(root) || 'root'}`,
    codehost: server ?? remote?.codehost ?? 'github.com',
  }
}
