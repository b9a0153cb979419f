import type { StepRecord } from './actions/contract.ts'
import type { Commit } from './git/commits.ts'
import type { PermissionLevel } from './permission-level.ts'

/*
 * The emulator's records, in the words of GitHub's documentation. bodies/ makes the JSON that is sent; nothing here is
 * serialised.
 */

export type Account = { id: number; login: string; type: 'User' | 'Organization' | 'Bot'; createdAt: Date }

export type AccessLevel = 'read' | 'write'

export type Installation = {
  id: number
  account: Account
  /** Undefined: all repositories of the account, later ones too. */
  repositoryIds: Set<number> | undefined
  permissions: Record<string, AccessLevel>
  events: string[]
  createdAt: Date
  updatedAt: Date
  suspendedAt: Date | null
}

export type InstallationToken = {
  installationId: number
  expiresAt: Date
  permissions: Record<string, AccessLevel>
  /** Undefined: all that the installation sees at the time of the request. */
  repositoryIds: Set<number> | undefined
}

export type Repository = {
  id: number
  owner: Account
  name: string
  defaultBranch: string
  private: boolean
  archived: boolean
  hasIssues: boolean
  /** Bare. */
  gitDir: string
  /** Actions variables and secrets. */
  vars: Record<string, string>
  secrets: Record<string, string>
  createdAt: Date
  pushedAt: Date
  /** The last number given to a pull request or an issue: they share one series. */
  lastNumber: number
  /** Permissions given to people here, by login in lower case; teams give permissions too. */
  collaborators: Map<string, PermissionLevel>
  /** By name in lower case: GitHub's names of environments have no case. */
  environments: Map<string, Environment>
  /** By branch. */
  protections: Map<string, Protection>
  /** The repository it is a fork of. */
  parent: Repository | undefined
  /** Oldest first. */
  releases: Release[]
  /** owner/name in lower case, from before renames and transfers. */
  formerNames: Set<string>
  /** What was pushed to its branches, oldest first. */
  pushes: BranchPush[]
}

/** A push of a branch; `before` is undefined where it made the branch. */
export type BranchPush = {
  id: number
  branch: string
  before: string | undefined
  after: string
  actor: Account
  at: Date
}

/** A published release: a tag that people are notified of. */
export type Release = { id: number; tag: string; prerelease: boolean; author: Account; publishedAt: Date }

/** An environment with required reviewers; others need no record. */
export type Environment = {
  id: number
  name: string
  /** People by login, teams as org/slug. Any one of them may approve. */
  reviewers: string[]
  createdAt: Date
}

/** What a branch requires of a pull request before GitHub calls it mergeable. */
export type Protection = {
  /** Names of checks that must have succeeded on the head. */
  checks: string[]
  /** Approvals by people with write access. */
  approvals: number
  /** The head must contain the base's tip. */
  upToDate: boolean
}

export type PullRequest = {
  id: number
  number: number
  repository: Repository
  title: string
  body: string | null
  author: Account
  draft: boolean
  state: 'open' | 'closed'
  /** A different one for a pull request from a fork; undefined once the fork was deleted. */
  headRepository: Repository | undefined
  headRef: string
  headSha: string
  baseRef: string
  /** Tip of the base branch when the pull request was opened or last pushed to. */
  baseSha: string
  mergedAt: Date | null
  mergedBy: Account | null
  /** Set when merged. Before that, GitHub shows the test merge, computed on request. */
  mergeCommitSha: string | null
  createdAt: Date
  updatedAt: Date
  closedAt: Date | null
  /** How many more times mergeability is answered with null, for the given pair of tips. */
  unknownMergeable: { tips: string; answers: number }
}

export type Comment = {
  id: number
  repository: Repository
  number: number
  body: string
  author: Account
  viaApp: boolean
  createdAt: Date
  updatedAt: Date
}

/** Which app made a check: the emulated one, or Actions, whose jobs are check runs too. */
export type CheckApp = 'app' | 'actions'

export type CheckSuite = {
  id: number
  repository: Repository
  app: CheckApp
  headSha: string
  headBranch: string | null
  createdAt: Date
}

export type CheckAnnotation = {
  path: string
  startLine: number
  endLine: number
  level: 'notice' | 'warning' | 'failure'
  message: string
  title: string | null
}

/** A pull request in a merge queue, with the commit that its merge would make. */
export type MergeGroup = { pull: PullRequest; branch: string; sha: string; baseSha: string }

export type CheckRun = {
  id: number
  repository: Repository
  suite: CheckSuite
  name: string
  headSha: string
  externalId: string
  detailsUrl: string | null
  status: 'queued' | 'in_progress' | 'completed'
  conclusion: string | null
  startedAt: Date | null
  completedAt: Date | null
  title: string | null
  summary: string | null
  text: string | null
  annotations: CheckAnnotation[]
}

export type Workflow = {
  id: number
  repository: Repository
  path: string
  name: string
  createdAt: Date
  lastRunNumber: number
  /** Disabled by a person: it cannot be dispatched. */
  disabled: boolean
}

export type WorkflowRun = {
  id: number
  number: number
  attempt: number
  workflow: Workflow
  repository: Repository
  event: 'pull_request' | 'merge_group' | 'workflow_dispatch'
  actor: Account
  displayTitle: string
  /** Head of the pull request: REST shows it as head_sha. */
  headSha: string
  headBranch: string
  headCommit: Commit
  /** github.ref and github.sha: for a pull request its test merge. */
  ref: string
  sha: string
  headRef: string
  baseRef: string
  pull: PullRequest | undefined
  suite: CheckSuite
  status: 'queued' | 'waiting' | 'in_progress' | 'completed'
  conclusion: string | null
  /** Whether the attempt's in_progress was sent: it is sent once. */
  begun: boolean
  /** The file's text at the triggering commit; re-runs use it again, as well as github.event and the inputs. */
  text: string
  payload: Record<string, unknown>
  inputs: Record<string, string>
  /** Jobs of earlier attempts that this one takes over. */
  kept: Set<WorkflowJob>
  /** Why the workflow could not even start. */
  problem: string | undefined
  createdAt: Date
  startedAt: Date
  updatedAt: Date
}

export type WorkflowJob = {
  /** Also the id of the job's check run. */
  id: number
  run: WorkflowRun
  attempt: number
  name: string
  labels: string[]
  status: 'queued' | 'waiting' | 'in_progress' | 'completed'
  conclusion: string | null
  steps: StepRecord[]
  outputs: Record<string, string>
  log: string
  createdAt: Date
  startedAt: Date | null
  completedAt: Date | null
}

/** One attempt to deliver a webhook; a redelivery is a new one with the same GUID. */
export type Delivery = {
  id: number
  guid: string
  redelivery: boolean
  event: string
  action: string | null
  installationId: number | null
  repositoryId: number | null
  url: string
  requestHeaders: Record<string, string>
  /** The body as signed and sent. */
  payload: string
  /** Undefined: still being sent. */
  outcome: DeliveryOutcome | undefined
}

export type DeliveryOutcome = {
  deliveredAt: Date
  /** Seconds. */
  duration: number
  /** 'OK', or what went wrong. */
  status: string
  /** 0: no answer at all. */
  statusCode: number
  responseHeaders: Record<string, string>
  responseBody: string
}
