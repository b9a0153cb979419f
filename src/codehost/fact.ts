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
  action: 'created' | 'renamed' | 'transferred' | 'edited' | 'archived' | 'unarchived' | 'deleted'
  installationId?: number
  repository: HostedRepository
  /** Names that no longer hold: the old name, owner or default branch, where this changed it. */
  former: { name?: string; owner?: string; defaultBranch?: string }
}

export type PushFact = {
  kind: 'push'
  installationId?: number
  repoId: number
  /** Spelled whole: `refs/heads/main`, `refs/tags/v1`. */
  ref: string
  before: string
  /** All zeros for a deletion; for an annotated tag the tag object. */
  after: string
  created: boolean
  deleted: boolean
  forced: boolean
  defaultBranch: string
}

export type PingFact = { kind: 'ping'; hookId: number }

/** Nothing follows from it; `reason` says why, for the count and the log. */
export type IgnoredFact = { kind: 'ignored'; reason: string }

export type RepositoryName = { id: number; owner: string; name: string }

export type Fact =
  | PullRequestFact
  | InstallationFact
  | InstallationRepositoriesFact
  | RepositoryFact
  | PushFact
  | PingFact
  | IgnoredFact
