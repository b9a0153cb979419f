import type { MergeGroup } from './merge-group.ts'

/** What a verified token says about the CI job that carries it. `sha` is the test merge of a pull request, not its head. */
export type RunnerClaims = {
  repositoryId: number
  /** `owner/name`, for messages; the id identifies it. */
  repository: string
  event: string
  ref: string
  /** From `refs/pull/<n>/merge`. */
  prNumber?: number
  /** From the branch of a merge queue, whose jobs have the event `merge_group`. */
  mergeGroup?: MergeGroup
  sha: string
  workflowRunId: number
  workflowRunAttempt: number
  environment?: string
  /** Left out by issuers that know no reusable workflows. */
  jobWorkflowRef?: string
  workflowRef: string
  jti: string
  issuedAt: Date
}
