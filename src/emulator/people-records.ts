import type { PermissionLevel } from './permission-level.ts'
import type { Account, Comment, PullRequest, Repository } from './records.ts'

export type Membership = {
  /** `pending`: invited, but has not accepted yet. */
  state: 'active' | 'pending'
  role: 'member' | 'maintainer' | 'admin'
}

export type Team = {
  id: number
  organization: Account
  slug: string
  name: string
  /** By login in lower case. */
  members: Map<string, Membership>
  /** What the team's active members may do, by repository. */
  grants: Map<Repository, PermissionLevel>
  createdAt: Date
}

export type ReviewState = 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED'

export type Review = {
  id: number
  pull: PullRequest
  author: Account
  body: string
  state: ReviewState
  /** The head when it was submitted. */
  commitId: string
  submittedAt: Date
}

export const reactionContents = ['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'] as const

export type ReactionContent = (typeof reactionContents)[number]

export type Reaction = { id: number; comment: Comment; author: Account; content: ReactionContent; createdAt: Date }

/** An issue that is no pull request; a transferred issue is a new one elsewhere, to which the old number leads. */
export type Issue = {
  id: number
  repository: Repository
  number: number
  title: string
  body: string | null
  author: Account
  viaApp: boolean
  state: 'open' | 'closed'
  stateReason: 'completed' | 'not_planned' | 'reopened' | 'duplicate' | null
  createdAt: Date
  updatedAt: Date
  closedAt: Date | null
  closedBy: Account | null
  /** `deleted`: its number answers that it is gone. */
  moved: 'deleted' | Issue | undefined
}
