import { commitsBetween, commitTree, resolveCommit, setRef } from './git/commits.ts'
import { diffCommits, type FileChange, mergeBase } from './git/diff.ts'
import { mergeTrees } from './git/merge.ts'
import type { PullRequest } from './records.ts'
import { identity } from './store.ts'
import type { World } from './world.ts'

/** The base that a pull request is compared with: where its branch is now, or was when it ended. */
const baseTip = async (pull: PullRequest): Promise<string> =>
  pull.state === 'closed'
    ? pull.baseSha
    : ((await resolveCommit(pull.repository.gitDir, `refs/heads/${pull.baseRef}`)) ?? pull.baseSha)

type TestMerge = { key: string; sha: Promise<string | undefined> }

const merges = new WeakMap<PullRequest, TestMerge>()

/**
 * The test merge of head into base, at refs/pull/N/merge; undefined where they conflict. Made once for each pair of tips:
 * it is what workflows check out, and its sha must not change under them.
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

/** What GitHub computes of a pull request and leaves out of its listings. */
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
  const [files, merge, commits] = await Promise.all([
    changedFiles(pull),
    pull.state === 'open' ? testMerge(world, pull) : undefined,
    baseTip(pull).then((base) => commitsBetween(pull.repository.gitDir, base, pull.headSha)),
  ])
  const known = pull.state === 'open' && pull.unknownMergeableAnswers === 0
  return {
    mergeable: known ? merge !== undefined : null,
    mergeableState: known ? mergeableState(world, pull, merge !== undefined) : 'unknown',
    testMergeSha: known ? (merge ?? null) : null,
    commits: commits.length,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changedFiles: files.length,
  }
}

const passing = new Set(['success', 'neutral', 'skipped'])

const mergeableState = (world: World, pull: PullRequest, merges: boolean): string => {
  if (!merges) return 'dirty'
  if (pull.draft) return 'draft'
  const checks = [...world.store.checkRuns.values()].filter(
    (check) => check.repository === pull.repository && check.headSha === pull.headSha,
  )
  const latest = new Map(checks.map((check) => [check.name, check]))
  return [...latest.values()].every((check) => passing.has(check.conclusion ?? '')) ? 'clean' : 'unstable'
}
