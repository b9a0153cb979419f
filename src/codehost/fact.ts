import type { MergeGroup } from '#domain/merge-group.ts'

/*
 * The contents of a webhook delivery in the service's terms, and no more than is used: it is news that something changed, and
 * what it names is read again from the code host.
 */

/** Something about a pull request changed. */
export type PullRequestFact = {
  kind: 'pull_request'
  repoId: number
  number: number
  /** The merge commit, if the delivery names it: code hosts stop showing it later. */
  mergeCommitSha: string | null
}

/** The set of installations and repositories, or their names, changed: of one installation alone if it is named. */
export type InstallationsFact = { kind: 'installations'; installationId?: number }

/** A branch was created, moved or deleted; for a tag see `TagFact`. */
export type PushFact = {
  kind: 'push'
  repoId: number
  /** In full: `refs/heads/main`. */
  ref: string
  deleted: boolean
}

/** A new comment on a pull request, by a person. Edited comments and those of bots are ignored: they are not commands. */
export type CommentFact = {
  kind: 'comment'
  repoId: number
  /** Number of the pull request. */
  number: number
  commentId: number
  author: string
  authorId: number
  body: string
  /** RFC 3339, to the second: its delivery may come much later. */
  writtenAt: string
}

/** Somebody asked on the code host's pages to re-run one of our check runs, or all of a commit. */
export type RerequestFact = {
  kind: 'rerequest'
  repoId: number
  sha: string
  /**
   * External id of the check run: run, or run and stack, or these and a check's name. Absent if the whole suite was asked for.
   */
  externalId?: string
  accountId: number
  /** Who asked. */
  actor: string
}

/** A workflow run was requested, is in progress or ended. `requested` is not sent for re-runs. */
export type WorkflowRunFact = {
  kind: 'workflow_run'
  action: 'requested' | 'in_progress' | 'completed'
  repoId: number
  workflowRunId: number
  /** What triggered it. */
  event: string
  /** `.github/workflows/svc-run.yml`, without a ref. */
  path: string
}

/** A tag or a release was created, changed or deleted: modules have other versions now. */
export type TagFact = { kind: 'tag'; repoId: number }

/** A merge queue made a group and waits for its checks, or took it apart, merged or not. */
export type MergeGroupFact = {
  kind: 'merge_group'
  action: 'checks_requested' | 'destroyed'
  repoId: number
  group: MergeGroup
  sha: string
  baseSha: string
}

/** A person revoked this app's right to act for them. */
export type RevokedFact = { kind: 'revoked'; accountId: number; login: string }

/** Nothing follows from it, and why. `isUnreadable`: it lacks fields that this kind of delivery should have. */
export type IgnoredFact = { kind: 'ignored'; reason: string; isUnreadable?: true }

export type Fact =
  | PullRequestFact
  | InstallationsFact
  | PushFact
  | CommentFact
  | RerequestFact
  | WorkflowRunFact
  | TagFact
  | RevokedFact
  | MergeGroupFact
  | IgnoredFact
