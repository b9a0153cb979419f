import { z } from 'zod'
import type { RepoRef } from '../port.ts'
import { type Calls, inRepo } from './calls.ts'

/** Raw contents come as text, or as bytes where GitHub names no character set; a directory comes as a list. */
const RawAnswer = z.union([
  z.string(),
  z.instanceof(ArrayBuffer).transform((bytes) => new TextDecoder().decode(bytes)),
  z.array(z.unknown()).transform(() => undefined),
])

/** What a path is, without asking for raw contents: a directory's entries, or a file's record. */
const EntryAnswer = z.union([z.array(z.unknown()), z.object({ type: z.string() })])

const RefAnswer = z.object({ object: z.object({ sha: z.string() }) })

export const readFile = (calls: Calls, repo: RepoRef, path: string, ref?: string): Promise<string | undefined> =>
  calls.find(
    {
      act: `reading ${path} of ${repo.owner}/${repo.name}`,
      route: 'GET /repos/{owner}/{repo}/contents/{path}',
      from: repo.installationId,
      parameters: { ...inRepo(repo), path, ...(ref === undefined ? {} : { ref }) },
      accept: 'application/vnd.github.raw+json',
    },
    RawAnswer,
  )

/** A file or a directory: what is at the path does not matter, only that something is. The root always is. */
export const hasPath = async (calls: Calls, repo: RepoRef, path: string, ref: string): Promise<boolean> => {
  if (path === '' || path === '.') return true
  const entry = await calls.find(
    {
      act: `looking for ${path} in ${repo.owner}/${repo.name} at ${ref}`,
      route: 'GET /repos/{owner}/{repo}/contents/{path}',
      from: repo.installationId,
      parameters: { ...inRepo(repo), path, ref },
    },
    EntryAnswer,
  )
  return entry !== undefined
}

export const branchHead = async (calls: Calls, repo: RepoRef, branch: string): Promise<string | undefined> => {
  const found = await calls.find(
    {
      act: `reading the head of ${branch} of ${repo.owner}/${repo.name}`,
      route: 'GET /repos/{owner}/{repo}/git/ref/{ref}',
      from: repo.installationId,
      parameters: { ...inRepo(repo), ref: `heads/${branch}` },
    },
    RefAnswer,
  )
  return found?.object.sha
}
