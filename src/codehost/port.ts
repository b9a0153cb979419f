import type { CheckRunWanted } from '#domain/checks/check-run.ts'
import type { Permission, Pusher, Review } from '#domain/gate/facts.ts'

/*
 * What the service asks of a code host. GitHub is the one implementation (github/); commands and handlers see only this.
 * Every method may throw `Problem('unavailable')` when the host cannot be reached, `RetryAfter` (a subclass) when the host
 * asks for a pause, and `Refusal` (also a subclass) when it says no; a missing thing is undefined. Calls that create (a
 * check run, a comment) are sent once: after a throw, look for it before creating it again.
 */

/**
 * A repository as the code host must be asked for it: the installation decides which token is used. Spelled as the rows of
 * repositories are, any of which will do.
 */
export type RepoRef = { installation_id: number; owner: string; name: string }

export type PullRequest = {
  number: number
  title: string
  state: 'open' | 'closed'
  /** Null unless it was merged. */
  mergedAt: string | null
  /** The commit that the merge made on the base branch; null unless it was merged, or if the code host does not say. */
  mergeCommitSha: string | null
  /** Who merged it; listings leave it out. */
  mergedBy?: string
  draft: boolean
  headSha: string
  headRef: string
  /** null once a fork was deleted; a fork when it is not the repository's own id. */
  headRepoId: number | null
  baseSha: string
  baseRef: string
  author: string
  /** null: still being computed by the code host. */
  mergeable: boolean | null
  mergeableState: string
  changedFiles: number
}

export type MadeCheckRun = { id: number; name: string; externalId: string | null }

export type Installation = {
  id: number
  accountId: number
  accountLogin: string
  accountType: 'User' | 'Organization'
  suspendedAt: string | null
}

/** One run of a workflow, from its request to its end; `waiting` is for the approval of an environment. */
export type WorkflowRun = {
  id: number
  /** What triggered it: `workflow_dispatch`, `pull_request`, … */
  event: string
  /** The evaluated run name: the one thing of ours in a dispatched run. */
  title: string
  /** `.github/workflows/svc-run.yml`, without a ref. */
  path: string
  /** Tip of the branch it runs on: for a dispatched run never the commit that it was asked to work on. */
  headSha: string
  headBranch: string | null
  /** Whether this app started it: not a person by hand, nor a workflow with the token of its job, nor another app. */
  byApp: boolean
  attempt: number
  status: 'requested' | 'queued' | 'pending' | 'waiting' | 'in_progress' | 'completed'
  /** Set when completed. */
  conclusion: string | null
  url: string
  createdAt: string
}

export type WorkflowDispatch = {
  /** File name of the workflow: `svc-run.yml`. */
  workflow: string
  /** A branch: the code host takes no commit here. */
  ref: string
  inputs: Record<string, string>
}

/** A webhook delivery that failed. */
export type FailedDelivery = { id: number; guid: string; deliveredAt: string }

export type HostedRepository = { id: number; owner: string; name: string; defaultBranch: string; archived: boolean }

/** A tag of a repository: the commit that it comes down to, and the tag object if it is annotated. */
export type Tag = { name: string; sha: string; object?: string }

/** A published release. */
export type Release = { tag: string; publishedAt: string | null }

/** An issue as its readers see it. */
export type Issue = { number: number; url: string }

export type IssueText = { title: string; body: string }

export type CodeHost = {
  /** The same host; its requests and log lines carry the id of the request, delivery or job that caused them. */
  causedBy(id: string): CodeHost
  getPullRequest(repo: RepoRef, number: number): Promise<PullRequest | undefined>
  /** Paths the pull request touches, old names of renames included; undefined if the host lists only some (over 3,000). */
  listPullRequestPaths(repo: RepoRef, number: number): Promise<string[] | undefined>
  /**
   * The open pull requests of a repository, without the fields that only a single one's page has (`mergeable`,
   * `changedFiles`).
   */
  listOpenPullRequests(repo: RepoRef): Promise<Omit<PullRequest, 'mergeable' | 'mergeableState' | 'changedFiles'>[]>
  /**
   * Who pushed a commit to a branch as its tip, the last time; after a bot's push, the last person who pushed before. Undefined if
   * the host does not say: it lists the newest 100 changes of a branch.
   */
  pusherOf(repo: RepoRef, branch: string, sha: string): Promise<Pusher | undefined>
  /** Oldest first. */
  listReviews(repo: RepoRef, number: number): Promise<Review[]>
  /** What a user may do in a repository; `none` for a login that does not exist or is not the account of the given id. */
  permissionOf(repo: RepoRef, login: string, accountId?: number): Promise<Permission>
  /** Whether a user is an active member of a team; undefined if the app cannot see it: no such team, or no right to ask. */
  isTeamMember(installationId: number, team: { org: string; slug: string }, login: string): Promise<boolean | undefined>
  /** Whether a user is a member of the organisation that an installation is on; also false if the app may not ask. */
  isOrganizationMember(installationId: number, org: string, login: string): Promise<boolean>
  /** Text of a file at a ref (sha or branch; the default branch without one). */
  readFile(repo: RepoRef, path: string, ref?: string): Promise<string | undefined>
  /** The given paths at which a commit has a file or directory; the root (`''` or `.`) always counts. */
  pathsThatExist(repo: RepoRef, ref: string, paths: readonly string[]): Promise<Set<string>>
  /** Whether a repository has a commit of this full id. */
  hasCommit(repo: RepoRef, sha: string): Promise<boolean>
  /** The tree of a commit: two commits with one tree have the same files. Undefined if there is no such commit. */
  treeOf(repo: RepoRef, sha: string): Promise<string | undefined>
  /** Commit at the tip of a branch. */
  branchHead(repo: RepoRef, branch: string): Promise<string | undefined>
  /** Every tag, in no particular order. */
  listTags(repo: RepoRef): Promise<Tag[]>
  /** When an annotated tag was made, or the commit of a lightweight one; undefined once it is gone. */
  dateOfTag(repo: RepoRef, tag: Tag): Promise<string | undefined>
  /** Published releases, the newest 1,000. */
  listReleases(repo: RepoRef): Promise<Release[]>
  /** Every check run of this app at a commit that has this name. */
  listCheckRuns(repo: RepoRef, of: { sha: string; name: string }): Promise<MadeCheckRun[]>
  /** Throws RetryAfter while no check run of a stack may be written: asked before much is read for one. */
  throwIfNoRoomForStacks(repo: RepoRef): Promise<void>
  createCheckRun(repo: RepoRef, check: CheckRunWanted): Promise<number>
  /** False when the code host no longer has it (it keeps 1,000 of a name), or another app made it: create a new one. */
  updateCheckRun(repo: RepoRef, id: number, check: CheckRunWanted): Promise<boolean>
  /** The app's own comment that begins with the marker, of all or of those made or edited since a time: a thread may be 300 MB long. */
  findComment(repo: RepoRef, number: number, marker: string, since?: Date): Promise<number | undefined>
  createComment(repo: RepoRef, number: number, body: string): Promise<number>
  /** False when a person deleted it, or the app may not edit it, as another app made it: create a new one. */
  updateComment(repo: RepoRef, id: number, body: string): Promise<boolean>
  /** The app's own issue that begins with the marker, open or closed, among those made or touched since a time. */
  findIssue(repo: RepoRef, marker: string, since: Date): Promise<Issue | undefined>
  /** A `Refusal` with 410 means that the repository's issues are switched off. */
  createIssue(repo: RepoRef, issue: IssueText): Promise<Issue>
  /**
   * Edits, closes and reopens; without a state it stays open or closed as it is. Undefined when it is gone; an issue moved to
   * where the app sees it is edited there.
   */
  updateIssue(
    repo: RepoRef,
    number: number,
    issue: IssueText & { state?: 'open' | 'closed' | undefined },
  ): Promise<Issue | undefined>
  /** Adds this app's reaction to a comment; an existing one stays. False when the comment is gone. */
  addReaction(repo: RepoRef, commentId: number, reaction: 'eyes' | 'rocket'): Promise<boolean>
  /**
   * Starts a workflow; returns the id of its run if the host names it. A `Refusal` is the host's no (no such workflow, a
   * missing permission, inputs too large). After any other throw it may have started all the same: look for it first.
   */
  dispatchWorkflow(repo: RepoRef, dispatch: WorkflowDispatch): Promise<number | undefined>
  /**
   * Runs of a workflow (by file name) that were created at or after `since`, newest first; at most 1,000 are listed. If the
   * host knows no such workflow, a `Refusal` (404) and not an empty list, which would read as 'never started'.
   */
  listWorkflowRuns(repo: RepoRef, workflow: string, since: Date): Promise<WorkflowRun[]>
  getWorkflowRun(repo: RepoRef, id: number): Promise<WorkflowRun | undefined>
  /**
   * Deliveries of the app's webhook since a time that never reached us, oldest first, each once, and only if no later
   * attempt arrived. Judged by the host's newest 1,000 deliveries: past those, a delivery that did arrive may be listed.
   */
  listFailedDeliveries(since: Date): Promise<FailedDelivery[]>
  /** False when the host no longer has it (it keeps them for three days). */
  redeliver(deliveryId: number): Promise<boolean>
  listInstallations(): Promise<Installation[]>
  listRepositories(installationId: number): Promise<HostedRepository[]>
}

/** Where people see things at the code host; `repo` is owner/name. Made of what is known: nothing is asked. */
export type HostPages = {
  pullRequest(repo: string, number: number): string
  commit(repo: string, sha: string): string
  /** Of an attempt where one is given, else of the newest. */
  workflowRun(repo: string, id: number, attempt?: number): string
}
