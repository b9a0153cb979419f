import type { JobConclusion, JobIdentity, RunConclusion } from '#emulator/actions/contract.ts'
import { claimsOf } from '#emulator/oidc/claims.ts'
import type { PullRequest } from '#emulator/records.ts'
import { commitsForWorkflows, recordJob, recordPullRequestRun, recordRun } from '#emulator/workflows/record.ts'
import type { World } from '#emulator/world.ts'

export type PlayedJob = {
  id: number
  /** A token as the job would get it; `claims` replace or add. */
  token(audience: string, claims?: Record<string, unknown>): Promise<string>
  complete(conclusion: JobConclusion): void
}

export type PlayedRun = {
  id: number
  attempt: number
  /** github.sha: the test merge. */
  sha: string
  /** Begins a job. */
  job(name: string, options?: { environment?: string }): PlayedJob
  /** A token of some job of the run. */
  token(audience: string, claims?: Record<string, unknown>): Promise<string>
  complete(conclusion: RunConclusion): void
}

/**
 * A workflow run that no engine runs: the caller plays its jobs. It has records, webhooks and tokens like any other, so that
 * a test can stand where a runner would.
 */
export const playWorkflowRun = async (
  world: World,
  pull: PullRequest,
  options: { path?: string; name?: string } = {},
): Promise<PlayedRun> => {
  const commits = await commitsForWorkflows(world, pull)
  if (!commits) throw new Error(`pull request #${pull.number} has a conflict: GitHub runs no workflow for it`)
  const path = options.path ?? '.github/workflows/svc-plan.yml'
  const run = recordPullRequestRun(world, { pull, commits, path, name: options.name ?? path, actor: pull.author })
  const { id, attempt } = run
  recordRun(world, { id, attempt, status: 'in_progress' })

  const job = (name: string, wanted: { environment?: string } = {}): PlayedJob => {
    const identity: JobIdentity = { id: world.store.newId(), runId: id, attempt, ...wanted }
    const shared = { id: identity.id, runId: id, attempt, name, labels: ['ubuntu-latest'], steps: [] }
    recordJob(world, { ...shared, status: 'in_progress', conclusion: null })
    return {
      id: identity.id,
      token: (aud, claims = {}) => world.issuer.mint({ ...claimsOf(run, identity), aud, ...claims }),
      complete: (conclusion) => recordJob(world, { ...shared, status: 'completed', conclusion }),
    }
  }

  return {
    id,
    attempt,
    sha: run.sha,
    job,
    token: (audience, claims) => job('job').token(audience, claims),
    complete: (conclusion) => recordRun(world, { id, attempt, status: 'completed', conclusion }),
  }
}
