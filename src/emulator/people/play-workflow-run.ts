import type { JobConclusion, JobIdentity, JobStatus, RunConclusion } from '#emulator/actions/contract.ts'
import { claimsOf } from '#emulator/oidc/claims.ts'
import type { PullRequest, WorkflowRun } from '#emulator/records.ts'
import { askApproval } from '#emulator/workflows/approvals.ts'
import { recordJob, recordRun } from '#emulator/workflows/record.ts'
import { commitsForWorkflows, recordPullRequestRun } from '#emulator/workflows/record-run.ts'
import type { World } from '#emulator/world.ts'

export type PlayedJob = {
  id: number
  /** False once its environment was refused; waits for a decision. True at once if none is needed. */
  begun: Promise<boolean>
  /** A token as the job would get it; `claims` replace or add. */
  token(audience: string, claims?: Record<string, unknown>): Promise<string>
  complete(conclusion: JobConclusion): void
}

export type PlayedRun = {
  id: number
  attempt: number
  /** github.sha: the test merge, or the tip of the dispatched branch. */
  sha: string
  /** Evaluated run-name, or GitHub's default. */
  displayTitle: string
  /** Of a dispatch, as given. */
  inputs: Readonly<Record<string, string>>
  /** Begins a job; if its environment has reviewers, the job waits for them. */
  job(name: string, options?: { environment?: string }): PlayedJob
  /** A token of some job of the run. */
  token(audience: string, claims?: Record<string, unknown>): Promise<string>
  complete(conclusion: RunConclusion): void
}

const playJob = (world: World, run: WorkflowRun, attempt: number, name: string, environment?: string): PlayedJob => {
  const named = environment === undefined ? {} : { environment }
  const identity: JobIdentity = { id: world.store.newId(), runId: run.id, attempt, ...named }
  const { id } = identity
  const shared = { id, runId: run.id, attempt, name, labels: ['ubuntu-latest'], steps: [] }
  const record = (status: JobStatus, conclusion: JobConclusion | null = null) =>
    recordJob(world, { ...shared, status, conclusion })
  const isOver = () => world.store.jobs.get(id)?.status === 'completed'
  const approval = askApproval(world, identity)
  record(approval ? 'waiting' : 'in_progress')
  const decided = approval?.then((approved) => {
    if (!isOver()) record(approved ? 'in_progress' : 'completed', approved ? null : 'failure')
    return approved
  })
  return {
    id,
    begun: decided ?? Promise.resolve(true),
    token: (aud, claims = {}) => world.issuer.mint({ ...claimsOf(run, identity), aud, ...claims }),
    complete: (conclusion) => record('completed', conclusion),
  }
}

/**
 * Plays a recorded run that no engine has taken, in its current attempt: the caller is its runner. It has records, webhooks
 * and tokens like any other, so a test can take a runner's place.
 */
export const playRun = (world: World, run: WorkflowRun): PlayedRun => {
  if (world.actions.running.has(run.id)) throw new Error(`workflow run ${run.id} is run by the engine already`)
  if (run.status === 'completed') throw new Error(`workflow run ${run.id} is completed: re-run it first`)
  const { id, attempt } = run
  const job = (name: string, options: { environment?: string } = {}): PlayedJob =>
    playJob(world, run, attempt, name, options.environment)
  return {
    id,
    attempt,
    sha: run.sha,
    displayTitle: run.displayTitle,
    inputs: run.inputs,
    job,
    token: (audience, claims) => job('job').token(audience, claims),
    complete: (conclusion) => recordRun(world, { id, attempt, status: 'completed', conclusion }),
  }
}

/** A new workflow run of a pull request, to be played. */
export const playWorkflowRun = async (
  world: World,
  pull: PullRequest,
  options: { path?: string; name?: string } = {},
): Promise<PlayedRun> => {
  const commits = await commitsForWorkflows(world, pull)
  if (!commits) throw new Error(`pull request #${pull.number} has a conflict: GitHub runs no workflow for it`)
  const path = options.path ?? '.github/workflows/svc-plan.yml'
  const file = { path, name: options.name ?? path, text: '', payload: {}, actor: pull.author }
  const run = recordPullRequestRun(world, pull, commits, file)
  recordRun(world, { id: run.id, attempt: run.attempt, status: 'in_progress' })
  return playRun(world, run)
}
