import type { Changes } from './git/commits.ts'
import { resolveCommit } from './git/commits.ts'
import { addRepository, type InstallationOptions, install, suspend, uninstall } from './people/installations.ts'
import { type PlayedRun, playWorkflowRun } from './people/play-workflow-run.ts'
import {
  closePullRequest,
  mergePullRequest,
  openPullRequest,
  type PullRequestOptions,
  pushToPullRequest,
  reopenPullRequest,
} from './people/pull-requests.ts'
import { announcePush, commitOn } from './people/push.ts'
import { createRepository, type RepositoryOptions } from './people/repositories.ts'
import { deleteComment, writeComment } from './people/write-comment.ts'
import type {
  Account,
  CheckRun,
  Comment,
  Delivery,
  Installation,
  PullRequest,
  Repository,
  WorkflowJob,
  WorkflowRun,
} from './records.ts'
import { accountOf, findRepository } from './store.ts'
import type { World } from './world.ts'

export type InstallationHandle = {
  id: number
  accountId: number
  addRepository(repo: string): void
  suspend(): void
  unsuspend(): void
  uninstall(): void
}

export type RepositoryHandle = {
  id: number
  owner: string
  name: string
  fullName: string
  defaultBranch: string
  /** Bare. */
  gitDir: string
  /** Sha at the tip of a branch, the default one where none is named. */
  head(branch?: string): Promise<string>
  /** Commits on a branch, the default one unless named, and returns the new tip. */
  push(options: { changes: Changes; branch?: string; message?: string; author?: string }): Promise<string>
}

export type PullRequestHandle = {
  id: number
  number: number
  url: string
  /** As it now is: state, shas, merge. */
  now(): Readonly<PullRequest>
  headSha(): string
  push(changes: Changes, options?: { message?: string; author?: string }): Promise<string>
  /** By the author, unless somebody else is named; so too below. */
  close(by?: string): Promise<void>
  reopen(by?: string): Promise<void>
  /** Resolves with the merge commit. */
  merge(by?: string): Promise<string>
  comment(body: string, by?: string): Comment
  deleteComment(id: number, by?: string): void
  comments(): Readonly<Comment>[]
  /** Of the emulated app, at the head unless a sha is given, oldest first; those of Actions' jobs are not among them. */
  checkRuns(sha?: string): Readonly<CheckRun>[]
  workflowRuns(): Readonly<WorkflowRun>[]
  /** A workflow run whose jobs the caller plays. */
  playWorkflowRun(options?: { path?: string; name?: string }): Promise<PlayedRun>
}

export type Handles = {
  createInstallation(options: InstallationOptions): InstallationHandle
  createRepository(options: RepositoryOptions): Promise<RepositoryHandle>
  /** `repo` is owner/name. */
  openPullRequest(options: PullRequestOptions & { repo: string }): Promise<PullRequestHandle>
  /** Webhook deliveries in order of their events, those under way included. */
  deliveries(): Readonly<Delivery>[]
  jobs(runId: number): Readonly<WorkflowJob>[]
}

/** What people do on GitHub's pages, as functions: a person is named by login and needs no sign-up. */
export const createHandles = (world: World): Handles => ({
  createInstallation: (options) => installationHandle(world, install(world, options)),
  createRepository: async (options) => repositoryHandle(world, await createRepository(world, options)),
  openPullRequest: async ({ repo, ...options }) =>
    pullRequestHandle(world, await openPullRequest(world, repositoryNamed(world, repo), options)),
  deliveries: () => [...world.store.deliveries.values()],
  jobs: (runId) => [...world.store.jobs.values()].filter((job) => job.run.id === runId),
})

const repositoryNamed = (world: World, repo: string): Repository => {
  const [owner = '', name = ''] = repo.split('/')
  const repository = findRepository(world.store, owner, name)
  if (!repository) throw new Error(`there is no repository ${repo}`)
  return repository
}

const person = (world: World, login: string): Account => accountOf(world.store, login, 'User', world.clock())

const installationHandle = (world: World, installation: Installation): InstallationHandle => ({
  id: installation.id,
  accountId: installation.account.id,
  addRepository: (repo) => addRepository(world, installation, repositoryNamed(world, repo)),
  suspend: () => suspend(world, installation, true),
  unsuspend: () => suspend(world, installation, false),
  uninstall: () => uninstall(world, installation),
})

const repositoryHandle = (world: World, repository: Repository): RepositoryHandle => ({
  id: repository.id,
  owner: repository.owner.login,
  name: repository.name,
  fullName: `${repository.owner.login}/${repository.name}`,
  defaultBranch: repository.defaultBranch,
  gitDir: repository.gitDir,
  head: async (branch = repository.defaultBranch) => {
    const sha = await resolveCommit(repository.gitDir, `refs/heads/${branch}`)
    if (sha === undefined) throw new Error(`${repository.name} has no branch ${branch}`)
    return sha
  },
  push: async ({ changes, branch = repository.defaultBranch, message = 'Change', author = repository.owner.login }) => {
    const sender = person(world, author)
    const pushed = await commitOn(world, { repository, branch, message, author: sender, changes })
    await announcePush(world, { repository, branch, sender, ...pushed })
    return pushed.after
  },
})

const pullRequestHandle = (world: World, pull: PullRequest): PullRequestHandle => {
  const by = (login: string | undefined): Account => (login === undefined ? pull.author : person(world, login))
  const { repository, number } = pull
  return {
    id: pull.id,
    number,
    url: `${world.urls.web}/${repository.owner.login}/${repository.name}/pull/${number}`,
    now: () => ({ ...pull }),
    headSha: () => pull.headSha,
    push: async (changes, options = {}) => {
      await pushToPullRequest(world, pull, { changes, ...options })
      return pull.headSha
    },
    close: (login) => closePullRequest(world, pull, by(login)),
    reopen: (login) => reopenPullRequest(world, pull, by(login)),
    merge: (login) => mergePullRequest(world, pull, by(login)),
    comment: (body, login) => writeComment(world, pull, { author: by(login), body, viaApp: false }),
    deleteComment: (id, login) => {
      const comment = world.store.comments.get(id)
      if (!comment) throw new Error(`there is no comment ${id}`)
      deleteComment(world, pull, comment, by(login))
    },
    comments: () =>
      [...world.store.comments.values()].filter((one) => one.repository === repository && one.number === number),
    checkRuns: (sha = pull.headSha) =>
      [...world.store.checkRuns.values()].filter(
        (check) => check.repository === repository && check.headSha === sha && check.suite.app === 'app',
      ),
    workflowRuns: () => [...world.store.workflowRuns.values()].filter((run) => run.pull === pull),
    playWorkflowRun: (options) => playWorkflowRun(world, pull, options),
  }
}
