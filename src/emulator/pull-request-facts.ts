import { commitsBetween, commitTree, resolveCommit, setRef } from './git/commits.ts'
import { diffCommits, type FileChange, mergeBase } from './git/diff.ts'
import { mergeTrees } from './git/merge.ts'
import { mergeableState } from './mergeable-state.ts'
import type { PullRequest } from './records.ts'
import { identity } from './store.ts'
import type { World } from './world.ts'

/** The base that a pull request is compared with: the current tip of its branch, or the tip when it was closed. */
const baseTip = async (pull: PullRequest): Promise<string> =>
  pull.state === 'closed'
    ? pull.baseSha
    : ((await resolveCommit(pull.repository.gitDir, `refs/heads/${pull.baseRef}`)) ?? pull.baseSha)

type TestMerge = { key: string; sha: Promise<string | undefined> }

const merges = new WeakMap<PullRequest, TestMerge>()

/**
 * The test merge of head into base, at refs/pull/N/merge; undefined if they conflict. Made once for each pair of tips:
 * workflows check it out, and its sha must not change under them.
 */
export const testMerge = async (world: World, pull: PullRequest): Promise<string | undefined> => {
  const base = await baseTip(pull)
  const key = `${base} ${pull.headSha}`
  const known = merges.get(pull)
  if (known?.key === key) return known.sha
  const sha = makeTestMerge(world, pull, base)
  merges.set(pull, { key, sha })
  return sha
}

const makeTestMerge = async (world: World, pull: PullRequest, base: string): Promise<string | undefined> => {
  const { gitDir } = pull.repository
  const head = pull.headSha
  const tree = await mergeTrees(gitDir, base, head)
  if (tree === undefined) return undefined
  const message = `Merge ${head} into ${base}`
  const wanted = { tree, parents: [base, head], message, author: identity(pull.author), at: world.clock() }
  const sha = await commitTree(gitDir, wanted)
  await setRef(gitDir, `refs/pull/${pull.number}/merge`, sha)
  return sha
}

/** Every file that differs between the pull request's head and where it left the base. */
export const changedFiles = async (pull: PullRequest): Promise<FileChange[]> => {
  const { gitDir } = pull.repository
  return diffCommits(gitDir, await mergeBase(gitDir, await baseTip(pull), pull.headSha), pull.headSha)
}

/** The fields that GitHub computes for a pull request and leaves out of its listings. */
export type PullRequestFacts = {
  /** null: not known yet. */
  mergeable: boolean | null
  mergeableState: string
  testMergeSha: string | null
  commits: number
  additions: number
  deletions: number
  changedFiles: number
}

export const factsOf = async (world: World, pull: PullRequest): Promise<PullRequestFacts> => {
  const { gitDir } = pull.repository
  const base = await baseTip(pull)
  const [files, merge, commits, left] = await Promise.all([
    changedFiles(pull),
    pull.state === 'open' ? testMerge(world, pull) : undefined,
    commitsBetween(gitDir, base, pull.headSha),
    mergeBase(gitDir, base, pull.headSha),
  ])
  const known = pull.state === 'open' && unknownAnswers(world, pull, base).answers === 0
  const tips = { merges: merge !== undefined, behind: left !== base }
  return {
    mergeable: known ? tips.merges : null,
    mergeableState: known ? mergeableState(world, pull, tips) : 'unknown',
    testMergeSha: known ? (merge ?? null) : null,
    commits: commits.length,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changedFiles: files.length,
  }
}

/** GitHub computes mergeability again after either branch has moved, and does not know it until that is done. */
const unknownAnswers = (world: World, pull: PullRequest, base: string): PullRequest['unknownMergeable'] => {
  const tips = `${base} ${pull.headSha}`
  if (pull.unknownMergeable.tips !== tips) pull.unknownMergeable = { tips, answers: world.unknownMergeableAnswers }
  return pull.unknownMergeable
}
