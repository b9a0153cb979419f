import type { CodeOwners } from '../code-owners.ts'
import type { ParsedConfig, RepoConfig } from '../config-file.ts'
import type { ReportedCheck } from '../run-report.ts'
import type { RunStatus, StackStatus } from '../run-status.ts'
import type { Finding } from './verdict.ts'

/*
 * What the gate decides from: plain data, gathered by the caller when the apply is asked for. A fact that could not be
 * had is said to be missing (null, or left out of its list) and refuses, it is never guessed.
 */

export type ApplyPolicy = RepoConfig['apply']

/** The code host's level of a user: maintain counts as write, triage as read. Push is write and up. */
export type Permission = 'admin' | 'write' | 'read' | 'none'

/** A review as the code host lists it. `login` is null once the account is gone. */
export type Review = {
  login: string | null
  bot: boolean
  /** APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED or PENDING, in any letter case. */
  state: string
  commitId: string | null
  /** RFC 3339 in UTC; without it the place in the list says which came later. */
  submittedAt?: string | null
}

export type PullFact = {
  number: number
  author: string
  headSha: string
  state: 'open' | 'closed'
  merged: boolean
  draft: boolean
  /** The branch that it goes into, where that is not the default one. */
  otherBase?: string
  /** Its head is in another repository, so that nothing plans it. */
  fork: boolean
  mergeable: boolean | null
  mergeableState: string
}

export type PlanStack = {
  key: string
  status: StackStatus
  checks: readonly ReportedCheck[]
  /** The apply by another plan, of this pull request or another, that changed the stack after this plan of it. */
  overtaken?: { runId: string; prNumber?: number }
}

/** The newest plan run of the pull request, whatever commit it is of. `failure`: why it failed before any stack was planned. */
export type PlanFact = {
  runId: string
  sha: string
  status: RunStatus
  stacks: readonly PlanStack[]
  failure?: string
}

/** A held lock. Without `prNumber` a manual run holds it. */
export type LockFact = { stackKey: string; runId: string; prNumber?: number; takenAt?: string }

/** Whether a user is an active member of a team, `organisation/slug`; null where the code host does not tell. */
export type Membership = { team: string; login: string; member: boolean | null }

/** What is known before anybody's permission or team is asked for: from it `gateLookups` says whose. */
export type AskedFacts = {
  how: 'comment' | 'on_merge' | 'dry_run'
  /** The default branch's svc.yml. */
  policy: ParsedConfig
  /** Login of the repository's account: what a team's bare slug is completed with. */
  owner: string
  /** Who comments or merges. Only a dry run may do without: what then depends on it is not known, and refuses nothing. */
  requester?: string
  /** The head when the apply was asked for. */
  askedSha?: string
  pull: PullFact
  reviews: readonly Review[]
  /**
   * From the code host, old names of renames included, and never from the graph that a job of the pull request uploaded;
   * null where the host lists only some of them.
   */
  changedPaths: readonly string[] | null
  /** The file on the base branch; null when there is none. */
  codeOwners: { path: string; file: CodeOwners } | null
  plan: PlanFact | null
  /** The stacks to be applied; absent: all of the plan. */
  stacks?: readonly string[]
  /** The locks on those stacks, whoever holds them. */
  locks: readonly LockFact[]
  /** An apply of this pull request that has not ended. */
  otherApply: { runId: string } | null
}

export type PullFacts = AskedFacts & {
  permissions: readonly { login: string; permission: Permission }[]
  memberships: readonly Membership[]
}

/** A manual run by API key has no pull request, and its locks are answered for when they are taken (423). */
export type ManualFacts = { how: 'manual'; policy: ParsedConfig }

export type GateFacts = PullFacts | ManualFacts

/** How a layer judges. The policy is absent while the default branch's file is invalid. */
export type Judge = (facts: PullFacts, policy: ApplyPolicy | undefined) => Finding
