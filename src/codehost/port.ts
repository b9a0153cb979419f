/*
 * What the service asks of a code host. GitHub is the one implementation (github/); commands and handlers see this only.
 * Every method may throw `Problem('unavailable')` when the host cannot be reached, `RetryAfter` (which is one) when it asks
 * to be left alone for a while, and `Refusal` (one too) when it says no; a thing that is not there is undefined.
 * What creates (a check run, a comment) is sent once: after a throw look for it before creating it again.
 */

/** A repository as the code host must be asked for it: the installation decides which token is used. */
export type RepoRef = { installationId: number; owner: string; name: string }

export type PullRequest = {
  number: number
  state: 'open' | 'closed'
  /** Null unless it was merged. */
  mergedAt: string | null
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

export type CheckConclusion = 'success' | 'failure' | 'neutral' | 'cancelled' | 'action_required'

/** The wanted state of one check run; `externalId` is how a retry finds the one it made. */
export type CheckRun = {
  name: string
  headSha: string
  externalId: string
  detailsUrl: string
  status: 'queued' | 'in_progress' | 'completed'
  conclusion?: CheckConclusion
  title: string
  summary: string
  text?: string
}

export type MadeCheckRun = { id: number; name: string; externalId: string | null }

export type Installation = {
  id: number
  accountId: number
  accountLogin: string
  accountType: 'User' | 'Organization'
  suspendedAt: string | null
}

export type HostedRepository = { id: number; owner: string; name: string; defaultBranch: string; archived: boolean }

export type CodeHost = {
  /** The same host, its requests and log lines carrying the id of the request, delivery or job that caused them. */
  causedBy(id: string): CodeHost
  getPullRequest(repo: RepoRef, number: number): Promise<PullRequest | undefined>
  /** Paths the pull request touches, old names of renames included; undefined where the host lists only some (over 3,000). */
  listPullRequestPaths(repo: RepoRef, number: number): Promise<string[] | undefined>
  /** Text of a file at a ref (sha or branch; the default branch without one). */
  readFile(repo: RepoRef, path: string, ref?: string): Promise<string | undefined>
  /** Whether a commit has a file or directory at a path. */
  hasPath(repo: RepoRef, path: string, ref: string): Promise<boolean>
  /** Commit at the tip of a branch. */
  branchHead(repo: RepoRef, branch: string): Promise<string | undefined>
  /** Every check run of this app at a commit. */
  listCheckRuns(repo: RepoRef, sha: string): Promise<MadeCheckRun[]>
  createCheckRun(repo: RepoRef, check: CheckRun): Promise<number>
  /** False when the code host has it no longer (it keeps 1,000 of a name): make it anew. */
  updateCheckRun(repo: RepoRef, id: number, check: CheckRun): Promise<boolean>
  /** The app's own comment that begins with the marker. */
  findComment(repo: RepoRef, number: number, marker: string): Promise<number | undefined>
  createComment(repo: RepoRef, number: number, body: string): Promise<number>
  /** False when a person deleted it: make it anew. */
  updateComment(repo: RepoRef, id: number, body: string): Promise<boolean>
  listInstallations(): Promise<Installation[]>
  listRepositories(installationId: number): Promise<HostedRepository[]>
}
