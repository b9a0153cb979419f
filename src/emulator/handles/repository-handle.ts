import { type Changes, resolveCommit, setRef } from '#emulator/git/commits.ts'
import {
  renameRepository,
  setArchived,
  setDefaultBranch,
  transferRepository,
} from '#emulator/people/change-repository.ts'
import { type IssueHandle, issueHandles } from '#emulator/people/issues.ts'
import { announcePush, commitOn } from '#emulator/people/push.ts'
import { deleteTag, publishRelease, pushTags, type TagPush } from '#emulator/people/tags.ts'
import type { PermissionLevel } from '#emulator/permission-level.ts'
import type { Protection, Repository } from '#emulator/records.ts'
import { accountOf, fullName } from '#emulator/store.ts'
import { dispatchWorkflow } from '#emulator/workflows/dispatch.ts'
import { findWorkflow } from '#emulator/workflows/workflow-of.ts'
import type { World } from '#emulator/world.ts'
import { type WorkflowRunHandle, workflowRunHandle } from './workflow-run-handle.ts'

/** A repository, the pushes to it, and its settings. */
export type RepositoryHandle = {
  id: number
  /** The current values of these four. */
  readonly owner: string
  readonly name: string
  readonly fullName: string
  readonly defaultBranch: string
  /** Bare. */
  gitDir: string
  /** Sha at the tip of a branch, by default the default branch. */
  head(branch?: string): Promise<string>
  /** Commits on a branch, by default the default branch, and returns the new tip. */
  push(options: { changes: Changes; branch?: string; message?: string; author?: string }): Promise<string>
  /** A lightweight tag at the tip of the default branch, or at a commit. Sends no webhook. */
  tag(name: string, sha?: string): Promise<void>
  /** Tags of one push; webhooks are sent for up to three. */
  pushTags(...tags: TagPush[]): Promise<void>
  deleteTag(name: string): Promise<void>
  /** Publishes a release; makes its tag if it does not exist. */
  publishRelease(release: { tag: string; prerelease?: boolean; by?: string }): Promise<void>
  /** What a person may do here; `none` takes away everything that a team or a public repository gives. */
  setPermission(login: string, level: PermissionLevel): void
  /** Reviewers that jobs of an environment wait for: people by login, teams as org/slug. None: it is no longer protected. */
  environment(name: string, options: { reviewers: string[] }): void
  /** What pull requests into a branch (by default the default branch) need to be mergeable; replaces the old rules. */
  protect(options: Partial<Protection> & { branch?: string }): void
  /** Switches a workflow off or on, by file name. */
  setWorkflow(file: string, options: { disabled: boolean }): Promise<void>
  /**
   * Like 'Run workflow' on the Actions page, by file name: on the default branch unless another ref is given. A login that
   * ends with [bot] is an app's. Throws with GitHub's sentence if it is refused.
   */
  runWorkflow(
    file: string,
    options: { by: string; ref?: string; inputs: Record<string, string> },
  ): Promise<WorkflowRunHandle>
  /** Oldest first. */
  workflowRuns(): WorkflowRunHandle[]
  /** REST redirects from the old name. */
  rename(name: string): void
  /** To another account; only an installation there is notified. */
  transfer(owner: string): void
  setDefaultBranch(branch: string): Promise<void>
  archive(archived: boolean): void
  /** Oldest first; without pull requests and without issues that were deleted or moved away. */
  issues(): IssueHandle[]
  setIssues(enabled: boolean): void
}

export const repositoryHandle = (world: World, repository: Repository): RepositoryHandle => {
  const { gitDir } = repository
  const head = async (branch = repository.defaultBranch): Promise<string> => {
    const sha = await resolveCommit(gitDir, `refs/heads/${branch}`)
    if (sha === undefined) throw new Error(`${repository.name} has no branch ${branch}`)
    return sha
  }
  return {
    id: repository.id,
    get owner() {
      return repository.owner.login
    },
    get name() {
      return repository.name
    },
    get fullName() {
      return fullName(repository)
    },
    get defaultBranch() {
      return repository.defaultBranch
    },
    gitDir,
    head,
    push: async ({
      changes,
      branch = repository.defaultBranch,
      message = 'Change',
      author = repository.owner.login,
    }) => {
      const sender = accountOf(world.store, author, 'User', world.clock())
      const pushed = await commitOn(world, { repository, branch, message, author: sender, changes })
      await announcePush(world, { repository, branch, sender, ...pushed })
      return pushed.after
    },
    tag: async (name, sha) => setRef(gitDir, `refs/tags/${name}`, sha ?? (await head())),
    pushTags: (...tags) => pushTags(world, repository, tags),
    deleteTag: (name) => deleteTag(world, repository, name),
    publishRelease: (release) => publishRelease(world, repository, release),
    setPermission: (login, level) => {
      accountOf(world.store, login, 'User', world.clock())
      repository.collaborators.set(login.toLowerCase(), level)
    },
    environment: (name, { reviewers }) => {
      const environment = { id: world.store.newId(), name, reviewers, createdAt: world.clock() }
      if (reviewers.length > 0) repository.environments.set(name.toLowerCase(), environment)
      else repository.environments.delete(name.toLowerCase())
    },
    protect: ({ branch = repository.defaultBranch, checks = [], approvals = 0, upToDate = false }) => {
      repository.protections.set(branch, { checks, approvals, upToDate })
    },
    setWorkflow: async (file, { disabled }) => {
      const workflow = await findWorkflow(world, repository, file)
      if (!workflow) throw new Error(`${repository.name} has no workflow ${file}`)
      workflow.disabled = disabled
    },
    runWorkflow: (file, options) => runByHand(world, repository, file, options),
    workflowRuns: () =>
      [...world.store.workflowRuns.values()]
        .filter((run) => run.repository === repository)
        .map((run) => workflowRunHandle(world, run)),
    rename: (name) => renameRepository(world, repository, name),
    transfer: (owner) => transferRepository(world, repository, owner),
    setDefaultBranch: (branch) => setDefaultBranch(world, repository, branch),
    archive: (archived) => setArchived(world, repository, archived),
    issues: () => issueHandles(world, repository),
    setIssues: (enabled) => {
      repository.hasIssues = enabled
    },
  }
}

const runByHand = async (
  world: World,
  repository: Repository,
  file: string,
  { by, ref = repository.defaultBranch, inputs }: Parameters<RepositoryHandle['runWorkflow']>[1],
): Promise<WorkflowRunHandle> => {
  const workflow = await findWorkflow(world, repository, file)
  if (!workflow) throw new Error(`${repository.name} has no workflow ${file}`)
  const actor = accountOf(world.store, by, by.endsWith('[bot]') ? 'Bot' : 'User', world.clock())
  const result = await dispatchWorkflow(world, workflow, { ref, inputs, actor })
  const run = 'runId' in result ? world.store.workflowRuns.get(result.runId) : undefined
  if (!run) throw new Error('refusal' in result ? result.refusal : `workflow run of ${file} is lost`)
  return workflowRunHandle(world, run)
}
