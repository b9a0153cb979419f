import type { ParsedConfig, RepoConfig } from '#domain/config/config-file.ts'
import type { Summary } from '../plan-summary.ts'
import type { ReportedCheck } from '../run-report.ts'
import type { RunStatus, StackStatus } from '../run-status.ts'
import type { CoveredPaths } from './covered-paths.ts'

/*
 * What the gate decides from: plain data, gathered by the caller when the apply is asked for. A fact that could not be found is
 * marked as missing (null, or left out of its list). It then refuses; it is never guessed.
 */

export type ApplyPolicy = RepoConfig['apply']

/** The code host's level of a user: maintain counts as write, triage as read. Push permission is write and up. */
export type Permission = 'admin' | 'write' | 'read' | 'none'

/** A review as the code host lists it. `login` is null once the account is gone. */
export type Review = {
  login: string | null
  bot: boolean
  /** APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED or PENDING, in any letter case. */
  state: string
  commitId: string | null
  /** RFC 3339 in UTC; without it, the order of the list decides which came later. */
  submittedAt?: string | null
}

export type PullFact = {
  number: number
  author: string
  headSha: string
  state: 'open' | 'closed'
  merged: boolean
  draft: boolean
  /** The branch that it goes into, and the repository's default branch. */
  baseRef: string
  defaultBranch: string
  /** Its head is in another repository, so nothing plans it. */
  fork: boolean
  mergeable: boolean | null
  mergeableState: string
}

/** A verdict on a stack, and when it was given. */
export type PlanCheck = ReportedCheck & { at?: string }

export type PlanStack = {
  key: string
  /** As its row says; as its key does without them. */
  path?: string
  instance?: string
  /** The run that planned it. */
  runId?: string
  status: StackStatus
  checks: readonly PlanCheck[]
  /** What its plan does. It is read only for a policy with rules that ask for it; without it, it may do anything. */
  summary?: Summary
  /** An apply by another plan, of this pull request or another, that changed the stack after it was planned here. */
  overtaken?: { runId: string; prNumber?: number }
  /** Its plan ended after the apply was asked for: whoever asked cannot have read it. */
  unread?: boolean
}

/** The newest plan run of the pull request, whatever its commit. `failure`: why it failed before any stack was planned. */
export type PlanFact = {
  runId: string
  sha: string
  status: RunStatus
  stacks: readonly PlanStack[]
  failure?: string
}

/** A held lock. Without `prNumber` a manual run holds it. */
export type LockFact = { stackKey: string; runId: string; prNumber?: number; takenAt?: string }

/** Whether a user is an active member of a team, `organisation/slug`; null if the code host does not say. */
export type Membership = { team: string; login: string; member: boolean | null }

/** The last person who pushed to a branch, or a bot if none did, and what; `login` is null once the account is gone. */
export type Pusher = { login: string | null; sha: string }

/** What is known before permissions and teams are looked up: `gateLookups` derives from it whose to look up. */
export type AskedFacts = {
  how: 'comment' | 'on_merge' | 'dry_run'
  /** The time by the database's clock, RFC 3339 in UTC: no window opens at a time that is not known. */
  at?: string
  /** The default branch's svc.yml. */
  policy: ParsedConfig
  /** Login of the repository's account: the organisation of a team's bare slug. */
  owner: string
  /**
   * The person who comments or merges. Only a dry run may do without: what then depends on it is unknown, and refuses nothing.
   */
  requester?: string
  /** The head when the apply was asked for. */
  askedSha?: string
  pull: PullFact
  reviews: readonly Review[]
  /** Who pushed the head. Null if it was not read, or the code host does not say. */
  pusher: Pusher | null
  /**
   * From the code host, old names of renames included, and never from the graph that a job of the pull request uploaded; null
   * if the host lists only some of them.
   */
  changedPaths: readonly string[] | null
  /** The file on the base branch, and what of the changed paths its lines cover; null if there is none. */
  codeOwners: { path: string; covered: readonly CoveredPaths[] } | null
  plan: PlanFact | null
  /** The stacks to be applied; absent: all of the plan. */
  stacks?: readonly string[]
  /** The locks on those stacks, whatever run holds them. */
  locks: readonly LockFact[]
  /** An apply of this pull request that has not ended. */
  otherApply: { runId: string } | null
}

export type PullFacts = AskedFacts & {
  permissions: readonly { login: string; permission: Permission }[]
  memberships: readonly Membership[]
}

/** A manual run by API key has no pull request, and a lock that another run holds is refused when it is taken (423). */
export type ManualFacts = { how: 'manual'; policy: ParsedConfig }

export type GateFacts = PullFacts | ManualFacts
