import { accountBody } from '#emulator/bodies/account.ts'
import { repositoryBody } from '#emulator/bodies/repository.ts'
import { type Commit, commitsBetween, noCommit, readCommit } from '#emulator/git/commits.ts'
import { diffCommits } from '#emulator/git/diff.ts'
import type { Account, Repository } from '#emulator/records.ts'
import { fullName, identity } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { emitFrom } from './events.ts'

/** A push of a branch: `before` undefined means that the push made the branch. GitHub lists at most 2048 commits. */
export type Push = {
  repository: Repository
  branch: string
  before: string | undefined
  after: string
  sender: Account
}

/** Sends a push event: commits oldest first, each with the paths it touched. */
export const emitPush = async (world: World, push: Push): Promise<void> => {
  const { repository, sender, before, after } = push
  const shas = await commitsBetween(repository.gitDir, before ?? (await defaultTip(push)), after)
  const commits = await Promise.all(shas.slice(-2048).map((sha) => pushedCommit(world, repository, sha)))
  const { name, email } = identity(sender)
  emitFrom(
    world,
    'push',
    {
      ref: `refs/heads/${push.branch}`,
      before: before ?? noCommit,
      after,
      created: before === undefined,
      deleted: false,
      forced: false,
      base_ref: null,
      compare: `${world.urls.web}/${fullName(repository)}/compare/${(before ?? noCommit).slice(0, 12)}...${after.slice(0, 12)}`,
      commits,
      head_commit: await pushedCommit(world, repository, after),
      repository: pushedRepository(world, repository),
      pusher: { name, email },
    },
    { repository, sender },
  )
}

/** A new branch brings the commits that the default branch does not have; the very first push brings all. */
const defaultTip = async ({ repository, branch }: Push): Promise<string | undefined> =>
  branch === repository.defaultBranch ? undefined : `refs/heads/${repository.defaultBranch}`

/** In push events the repository's times are epoch seconds, and its owner has a name. */
export const pushedRepository = (world: World, repository: Repository) => {
  const { name, email } = identity(repository.owner)
  return {
    ...repositoryBody(world, repository),
    owner: { name, email, ...accountBody(world, repository.owner) },
    created_at: Math.floor(repository.createdAt.getTime() / 1000),
    pushed_at: Math.floor(repository.pushedAt.getTime() / 1000),
    stargazers: 0,
    master_branch: repository.defaultBranch,
  }
}

/** A commit as pushes show it. */
export const pushedCommit = async (world: World, repository: Repository, sha: string) => {
  const commit = await readCommit(repository.gitDir, sha)
  const files = await diffCommits(repository.gitDir, commit.parents[0], sha)
  const paths = (status: string[]) => files.filter((file) => status.includes(file.status)).map((file) => file.path)
  return {
    id: sha,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message,
    timestamp: commit.committer.date,
    url: `${world.urls.web}/${fullName(repository)}/commit/${sha}`,
    author: who(commit.author),
    committer: who(commit.committer),
    // A rename is one removed and one added path here.
    added: paths(['added', 'renamed', 'copied']),
    removed: [...paths(['removed']), ...files.flatMap((f) => (f.status === 'renamed' ? [f.previousPath ?? ''] : []))],
    modified: paths(['modified', 'changed']),
  }
}

const who = (person: Commit['author']) => ({ name: person.name, email: person.email, username: person.name })
