import { z } from 'zod'
import type { RepoRef } from '../port.ts'
import { Refusal } from '../refusal.ts'
import { type Calls, inRepo } from './client/calls.ts'

/** Raw contents come as text, or as bytes if GitHub names no character set; a directory comes as a list. */
const RawAnswer = z.union([
  z.string(),
  z.instanceof(ArrayBuffer).transform((bytes) => new TextDecoder().decode(bytes)),
  z.array(z.unknown()).transform(() => undefined),
])

/** What is at a path, without asking for raw contents: a directory's entries, or a file's record. */
const EntryAnswer = z.union([z.array(z.unknown()), z.object({ type: z.string() })])

const TreeAnswer = z.object({ tree: z.array(z.object({ path: z.string() })), truncated: z.boolean() })

const RefAnswer = z.object({ object: z.object({ sha: z.string() }) })

export const readFile = (calls: Calls, repo: RepoRef, path: string, ref?: string): Promise<string | undefined> =>
  calls.find(
    {
      act: `reading ${path} of ${repo.owner}/${repo.name}`,
      route: 'GET /repos/{owner}/{repo}/contents/{path}',
      ...inRepo(repo, { path, ...(ref === undefined ? {} : { ref }) }),
      accept: 'application/vnd.github.raw+json',
    },
    RawAnswer,
  )

/** A file or a directory: it only matters that something is at the path. */
const hasPath = async (calls: Calls, repo: RepoRef, path: string, ref: string): Promise<boolean> => {
  const entry = await calls.find(
    {
      act: `looking for ${path} in ${repo.owner}/${repo.name} at ${ref}`,
      route: 'GET /repos/{owner}/{repo}/contents/{path}',
      ...inRepo(repo, { path, ref }),
    },
    EntryAnswer,
  )
  return entry !== undefined
}

/*
 * A tree lists a whole commit in one answer, which takes megabytes for a large repository: a few paths are asked for one by
 * one instead, each a small answer. Beyond 100,000 entries or 7 MB GitHub cuts a tree off ('Get a tree').
 */
const fewPaths = 3

export const pathsThatExist = async (
  calls: Calls,
  repo: RepoRef,
  ref: string,
  paths: readonly string[],
): Promise<Set<string>> => {
  const isRoot = (path: string): boolean => path === '' || path === '.'
  const root = paths.filter(isRoot)
  const asked = [...new Set(paths)].filter((path) => !isRoot(path))
  if (asked.length <= fewPaths) return new Set([...root, ...(await askEach(calls, repo, ref, asked))])
  const tree = await readTree(calls, repo, ref)
  const named = new Set(tree?.tree.map(({ path }) => path))
  const found = asked.filter((path) => named.has(path))
  const untold = tree?.truncated === true ? asked.filter((path) => !named.has(path)) : []
  return new Set([...root, ...found, ...(await askEach(calls, repo, ref, untold))])
}

const askEach = async (calls: Calls, repo: RepoRef, ref: string, paths: readonly string[]): Promise<string[]> => {
  const there = await Promise.all(paths.map((path) => hasPath(calls, repo, path, ref)))
  return paths.filter((_, index) => there[index])
}

/** All entries of a commit, folders too. */
const readTree = (calls: Calls, repo: RepoRef, ref: string) =>
  calls.find(
    {
      act: `listing the tree of ${repo.owner}/${repo.name} at ${ref}`,
      route: 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}',
      ...inRepo(repo, { tree_sha: ref, recursive: '1' }),
    },
    TreeAnswer,
  )

export const branchHead = async (calls: Calls, repo: RepoRef, branch: string): Promise<string | undefined> => {
  const found = await calls.find(
    {
      act: `reading the head of ${branch} of ${repo.owner}/${repo.name}`,
      route: 'GET /repos/{owner}/{repo}/git/ref/{ref}',
      ...inRepo(repo, { ref: `heads/${branch}` }),
    },
    RefAnswer,
  )
  return found?.object.sha
}

const CommitAnswer = z.object({ sha: z.string(), tree: z.object({ sha: z.string() }) })

/** 404 for an id that no object has, 409 for a repository without any commit (GitHub Docs, 'Get a commit object'). */
export const treeOf = async (calls: Calls, repo: RepoRef, sha: string): Promise<string | undefined> => {
  const call = {
    act: `looking for commit ${sha} of ${repo.owner}/${repo.name}`,
    route: 'GET /repos/{owner}/{repo}/git/commits/{commit_sha}',
    ...inRepo(repo, { commit_sha: sha }),
  }
  try {
    const commit = await calls.find(call, CommitAnswer)
    return commit?.sha === sha ? commit.tree.sha : undefined
  } catch (error) {
    if (error instanceof Refusal && error.hostStatus === 409) return undefined
    throw error
  }
}

export const hasCommit = async (calls: Calls, repo: RepoRef, sha: string): Promise<boolean> =>
  (await treeOf(calls, repo, sha)) !== undefined
