import { type Changes, commitTree, resolveCommit, setRef } from '#emulator/git/commits.ts'
import { mergeTrees } from '#emulator/git/merge.ts'
import { factsOf } from '#emulator/pull-request-facts.ts'
import type { Account, PullRequest, Repository } from '#emulator/records.ts'
import { accountOf, identity } from '#emulator/store.ts'
import { emitPullRequest } from '#emulator/webhooks/events.ts'
import { triggerPullRequest } from '#emulator/workflows/trigger.ts'
import type { World } from '#emulator/world.ts'
import { bringHead, forkOf } from './forks.ts'
import { announcePush, commitOn } from './push.ts'

export type PullRequestOptions = {
  /** New, or an existing branch to which the changes are added. */
  branch: string
  title: string
  author: string
  changes: Changes
  body?: string
  draft?: boolean
  /** The branch to merge into: by default the default one. */
  base?: string
  /** The branch is in the author's fork, which is created at the first mention. */
  fork?: boolean
}

/** Pushes a branch and opens a pull request from it into the default branch. */
export const openPullRequest = async (
  world: World,
  repository: Repository,
  options: PullRequestOptions,
): Promise<PullRequest> => {
  const { store } = world
  const author = accountOf(store, options.author, 'User', world.clock())
  const { branch, title: message, changes } = options
  const headRepository = options.fork ? await forkOf(world, repository, author.login) : repository
  const pushed = await commitOn(world, { repository: headRepository, branch, message, author, changes })
  await announcePush(world, { repository: headRepository, branch, sender: author, ...pushed })
  const baseRef = options.base ?? repository.defaultBranch
  const now = world.clock()
  const pull: PullRequest = {
    id: store.newId(),
    number: ++repository.lastNumber,
    repository,
    title: options.title,
    body: options.body ?? null,
    author,
    draft: options.draft ?? false,
    state: 'open',
    headRepository,
    headRef: branch,
    headSha: pushed.after,
    baseRef,
    baseSha: await tipOfBase(repository, baseRef),
    mergedAt: null,
    mergedBy: null,
    mergeCommitSha: null,
    createdAt: now,
    updatedAt: now,
    closedAt: null,
    unknownMergeable: { tips: '', answers: 0 },
  }
  store.pulls.set(pull.id, pull)
  await bringHead(pull)
  await announce(world, pull, 'opened', author)
  return pull
}

const tipOfBase = async (repository: Repository, branch: string): Promise<string> => {
  const sha = await resolveCommit(repository.gitDir, `refs/heads/${branch}`)
  if (sha === undefined) throw new Error(`${repository.name} has no branch ${branch}`)
  return sha
}

/** The webhook of a change and the workflows that run on it, in this order. */
const announce = async (
  world: World,
  pull: PullRequest,
  action: 'opened' | 'synchronize' | 'reopened' | 'edited',
  sender: Account,
  more: Record<string, unknown> = {},
): Promise<void> => {
  const change = { action, facts: await factsOf(world, pull), sender, more }
  emitPullRequest(world, pull, change)
  await triggerPullRequest(world, pull, change)
}

/** Adds a commit to the pull request's branch; on an open one that is a `synchronize`. */
export const pushToPullRequest = async (
  world: World,
  pull: PullRequest,
  options: { changes: Changes; message?: string; author?: string },
): Promise<void> => {
  const { repository, headRef: branch } = pull
  const headRepository = headOf(pull)
  const author =
    options.author === undefined ? pull.author : accountOf(world.store, options.author, 'User', world.clock())
  const message = options.message ?? `Change ${Object.keys(options.changes).join(', ')}`
  const pushed = await commitOn(world, {
    repository: headRepository,
    branch,
    message,
    author,
    changes: options.changes,
  })
  await announcePush(world, { repository: headRepository, branch, sender: author, ...pushed })
  if (pull.state === 'closed') return
  pull.headSha = pushed.after
  pull.baseSha = await tipOfBase(repository, pull.baseRef)
  pull.updatedAt = world.clock()
  await bringHead(pull)
  await announce(world, pull, 'synchronize', author, { before: pushed.before ?? '', after: pushed.after })
}

/** The repository of its branch; a deleted fork takes no pushes. */
const headOf = (pull: PullRequest): Repository => {
  if (!pull.headRepository) throw new Error(`the fork of pull request #${pull.number} was deleted`)
  return pull.headRepository
}

const end = (world: World, pull: PullRequest): void => {
  mustBeOpen(pull)
  pull.state = 'closed'
  pull.closedAt = pull.updatedAt = world.clock()
}

const mustBeOpen = (pull: PullRequest): void => {
  if (pull.state === 'closed') throw new Error(`pull request #${pull.number} is closed already`)
}

/** Closes without merging. */
export const closePullRequest = async (world: World, pull: PullRequest, sender: Account): Promise<void> => {
  end(world, pull)
  emitPullRequest(world, pull, { action: 'closed', facts: await factsOf(world, pull), sender })
}

/** Reopens a closed pull request, at the current tip of its branch. */
export const reopenPullRequest = async (world: World, pull: PullRequest, sender: Account): Promise<void> => {
  if (pull.state === 'open' || pull.mergedAt) throw new Error(`pull request #${pull.number} cannot be reopened`)
  pull.state = 'open'
  pull.closedAt = null
  pull.updatedAt = world.clock()
  pull.headSha = await tipOfBase(headOf(pull), pull.headRef)
  pull.baseSha = await tipOfBase(pull.repository, pull.baseRef)
  await bringHead(pull)
  await announce(world, pull, 'reopened', sender)
}

/** Changes the branch it merges into. GitHub runs only workflows that name `edited` among their types. */
export const retarget = async (world: World, pull: PullRequest, branch: string, sender: Account): Promise<void> => {
  const base = { ref: { from: pull.baseRef }, sha: { from: pull.baseSha } }
  pull.baseSha = await tipOfBase(pull.repository, branch)
  pull.baseRef = branch
  pull.updatedAt = world.clock()
  await announce(world, pull, 'edited', sender, { changes: { base } })
}

/** Calls it something else. */
export const retitle = async (world: World, pull: PullRequest, title: string, sender: Account): Promise<void> => {
  const changes = { title: { from: pull.title } }
  pull.title = title
  pull.updatedAt = world.clock()
  await announce(world, pull, 'edited', sender, { changes })
}

/** Makes a draft ready for review, or a draft again. */
export const setDraft = async (world: World, pull: PullRequest, draft: boolean, sender: Account): Promise<void> => {
  if (pull.draft === draft) throw new Error(`pull request #${pull.number} is ${draft ? 'a draft' : 'ready'} already`)
  pull.draft = draft
  pull.updatedAt = world.clock()
  const action = draft ? 'converted_to_draft' : 'ready_for_review'
  emitPullRequest(world, pull, { action, facts: await factsOf(world, pull), sender })
}

/** Merges into the base branch with a merge commit, like GitHub's green button; throws if the two conflict. */
export const mergePullRequest = async (world: World, pull: PullRequest, sender: Account): Promise<string> => {
  const { repository, baseRef: branch } = pull
  const { gitDir } = repository
  mustBeOpen(pull)
  const before = await tipOfBase(repository, branch)
  const tree = await mergeTrees(gitDir, before, pull.headSha)
  if (tree === undefined) throw new Error(`pull request #${pull.number} conflicts with ${branch}`)
  const message = `Merge pull request #${pull.number} from ${pull.headRepository?.owner.login ?? 'ghost'}/${pull.headRef}\n\n${pull.title}`
  const parents = [before, pull.headSha]
  const after = await commitTree(gitDir, { tree, parents, message, author: identity(sender), at: world.clock() })
  await mergeAs(world, pull, sender, after)
  return after
}

/** Merges with a commit that is made already, as a merge queue does. */
export const mergeAs = async (world: World, pull: PullRequest, sender: Account, after: string): Promise<void> => {
  const { repository, baseRef: branch } = pull
  mustBeOpen(pull)
  const before = await tipOfBase(repository, branch)
  const at = world.clock()
  await setRef(repository.gitDir, `refs/heads/${branch}`, after)
  // in one step: a reader must not see it closed and not merged meanwhile, which it never is
  end(world, pull)
  Object.assign(pull, { baseSha: before, mergedAt: at, mergedBy: sender, mergeCommitSha: after })
  repository.pushedAt = at
  emitPullRequest(world, pull, { action: 'closed', facts: await factsOf(world, pull), sender })
  await announcePush(world, { repository, branch, sender, before, after })
}
