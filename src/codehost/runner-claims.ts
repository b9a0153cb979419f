import type { JWTPayload } from 'jose'
import { z } from 'zod'
import { readMergeGroup } from '#domain/merge-group.ts'
import type { RunnerClaims } from '#domain/runner-claims.ts'
import { Problem } from '#errors.ts'

/** Every claim is a string, numbers too (GitHub Docs, 'OpenID Connect reference'). */
const id = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number)
const text = z.string().min(1).max(2048)

const Claims = z.object({
  repository_id: id,
  repository: text,
  event_name: text,
  ref: text,
  sha: z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/),
  run_id: id,
  run_attempt: id,
  // for what a job does not have it might send the empty string instead of leaving the claim out
  environment: z.string().max(255).optional(),
  job_workflow_ref: z.string().max(2048).optional(),
  workflow_ref: text,
  jti: text,
  iat: z.number(),
})

/** `sub` is never read: a repository may customise its form, and new repositories have a new one. */
export const readRunnerClaims = (payload: JWTPayload): RunnerClaims => {
  const read = Claims.safeParse(payload)
  if (!read.success) {
    const claim = read.error.issues[0]?.path.join('.') ?? ''
    throw new Problem('unauthorized', `the token's ${claim} claim is missing or not what a CI job's token has`)
  }
  const claims = read.data
  const pull = /^refs\/pull\/([1-9]\d{0,9})\/merge$/.exec(claims.ref)?.[1]
  const mergeGroup = claims.event_name === 'merge_group' ? readMergeGroup(claims.ref) : undefined
  return {
    repositoryId: claims.repository_id,
    repository: claims.repository,
    event: claims.event_name,
    ref: claims.ref,
    ...(pull === undefined ? {} : { prNumber: Number(pull) }),
    ...(mergeGroup === undefined ? {} : { mergeGroup }),
    sha: claims.sha,
    workflowRunId: claims.run_id,
    workflowRunAttempt: claims.run_attempt,
    ...(claims.environment ? { environment: claims.environment } : {}),
    ...(claims.job_workflow_ref ? { jobWorkflowRef: claims.job_workflow_ref } : {}),
    workflowRef: claims.workflow_ref,
    jti: claims.jti,
    issuedAt: new Date(claims.iat * 1000),
  }
}
