import type { HostedRepository, Installation } from './port.ts'

/*
 * What a webhook delivery says, in the service's words: what is not in here changes nothing. `installationId` is absent
 * where the delivery came through a hook of the repository instead of the app's.
 */

export type PullRequestFact = {
  kind: 'pull_request'
  action: 'opened' | 'reopened' | 'synchronize' | 'edited' | 'closed' | 'ready_for_review' | 'converted_to_draft'
  installationId?: number
  repoId: number
  number: number
  state: 'open' | 'closed'
  headSha: string
  headRef: string
  /** null once a fork was deleted; a fork when it is not `repoId`. */
  headRepoId: number | null
  baseSha: string
  baseRef: string
  /** Whether this `edited` put the pull request on another base: its plan is one against something else. */
  baseChanged: boolean
  author: string
  draft: boolean
  merged: boolean
  mergeCommitSha: string | null
}

export type InstallationFact = {
  kind: 'installation'
  action: 'created' | 'deleted' | 'suspend' | 'unsuspend' | 'new_permissions_accepted'
  installation: Installation
  repositories: RepositoryName[]
}

/** The account of an installation has another login now: the names of all its repositories changed with it. */
export type AccountRenamedFact = {
  kind: 'installation'
  action: 'renamed'
  installationId: number
  accountId: number
  login: string
  former: string
}

/** The repositories an installation was given or lost; GitHub names no default branch here. */
export type InstallationRepositoriesFact = {
  kind: 'installation_repositories'
  action: 'added' | 'removed'
  installation: Installation
  added: RepositoryName[]
  removed: RepositoryName[]
}

export type RepositoryFact = {
  kind: 'repository'
  action: RepositoryAction
  installationId?: number
  repository: HostedRepository
  /** Names that no longer hold: the old name, owner or default branch, where this changed it. */
  former: { name?: string; owner?: string; defaultBranch?: string }
}

type RepositoryAction =
  | 'created'
  | 'renamed'
  | 'transferred'
  | 'edited'
  | 'archived'
  | 'unarchived'
  | 'privatized'
  | 'publicized'
  | 'deleted'

/** A branch came, moved or went; for a tag see `TagFact`. */
export type PushFact = {
  kind: 'push'
  installationId?: number
  repoId: number
  /** Spelled whole: `refs/heads/main`. */
  ref: string
  before: string
  /** All zeros for a deletion. */
  after: string
  created: boolean
  deleted: boolean
  forced: boolean
  defaultBranch: string
}

/** A new comment on a pull request, by a person. Edited ones and those of bots are no commands: they are ignored. */
export type CommentFact = {
  kind: 'comment'
  installationId?: number
  repoId: number
  /** Of the pull request. */
  number: number
  commentId: number
  author: string
  body: string
  /** RFC 3339, to the second: its delivery may come much later. */
  writtenAt: string
}

/** Somebody asked in the code host's pages for one of our check runs again, or for all of a commit. */
export type RerequestFact = {
  kind: 'rerequest'
  installationId?: number
  repoId: number
  sha: string
  /** External id of the check run: run, or run and stack, or these and a check's name. Absent when the whole suite was asked for. */
  externalId?: string
  /** Who asked. */
  actor: string
}

/** A workflow run was requested, goes on or ended. `requested` is not sent for re-runs. */
export type WorkflowRunFact = {
  kind: 'workflow_run'
  action: 'requested' | 'in_progress' | 'completed'
  installationId?: number
  repoId: number
  workflowRunId: number
  attempt: number
  /** What triggered it. */
  event: string
  /** `.github/workflows/svc-run.yml`, without a ref. */
  path: string
}

/** A tag or a release came, changed or went: modules have other versions now. */
export type TagFact = { kind: 'tag'; installationId?: number; repoId: number; tag: string }

/** A person took this app's right to act for them back. */
export type RevokedFact = { kind: 'revoked'; accountId: number; login: string }

export type PingFact = { kind: 'ping'; hookId: number }

/** Nothing follows from it; `reason` says why, for the count and the log. */
export type IgnoredFact = { kind: 'ignored'; reason: string }

export type RepositoryName = { id: number; owner: string; name: string }

export type Fact =
  | PullRequestFact
  | InstallationFact
  | AccountRenamedFact
  | InstallationRepositoriesFact
  | RepositoryFact
  | PushFact
  | CommentFact
  | RerequestFact
  | WorkflowRunFact
  | TagFact
  | RevokedFact
  | PingFact
  | IgnoredFact
