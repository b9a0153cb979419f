import { z } from 'zod'
import { accountBody } from '#emulator/bodies/account.ts'
import { nodeId, stamp } from '#emulator/bodies/node-id.ts'
import { teamBody } from '#emulator/bodies/team.ts'
import { findTeam } from '#emulator/people/permissions.ts'
import type { WorkflowRun } from '#emulator/records.ts'
import { accountOf, fullName } from '#emulator/store.ts'
import { decideApprovals, mayReview, pendingApprovals } from '#emulator/workflows/approvals.ts'
import type { PendingApproval } from '#emulator/workflows/pending-approval.ts'
import { cancelRun, rerunRun } from '#emulator/workflows/start.ts'
import type { World } from '#emulator/world.ts'
import { appBot } from './serving/app-bot.ts'
import type { RepositoryCall } from './serving/call.ts'
import { GitHubError } from './serving/errors.ts'
import { repositoryRoute } from './serving/route.ts'
import { parseBody } from './serving/validation.ts'
import { runOf } from './workflow-runs.ts'

const cancel = (call: RepositoryCall) => {
  const run = runOf(call)
  if (run.status === 'completed') throw new GitHubError(409, 'Cannot cancel a workflow run that is completed.')
  cancelRun(call.world, run)
  return { status: 202, body: {} }
}

const rerun = (which: 'all' | 'failed') => (call: RepositoryCall) => {
  const run = runOf(call)
  if (run.status !== 'completed') throw new GitHubError(403, 'This workflow is already running')
  rerunRun(call.world, run, which)
  return { status: 201, body: {} }
}

/** One for each environment, whatever the number of its jobs. */
const byEnvironment = (pending: PendingApproval[]): PendingApproval[] => [
  ...new Map(pending.map((one) => [one.environment.id, one])).values(),
]

const reviewerBodies = (world: World, run: WorkflowRun, reviewer: string): { type: string; reviewer: unknown }[] => {
  const [, slug] = reviewer.split('/')
  const team = slug === undefined ? undefined : findTeam(world, run.repository.owner, slug)
  if (team) return [{ type: 'Team', reviewer: { ...teamBody(world, team), parent: null } }]
  if (slug !== undefined) return []
  return [{ type: 'User', reviewer: accountBody(world, accountOf(world.store, reviewer, 'User', world.clock())) }]
}

const pendingBody = (world: World, { run, environment }: PendingApproval) => {
  const path = `${fullName(run.repository)}/environments/${encodeURIComponent(environment.name)}`
  return {
    environment: {
      id: environment.id,
      node_id: nodeId('EN', environment.id),
      name: environment.name,
      url: `${world.urls.api}/repos/${path}`,
      html_url: `${world.urls.web}/${path}`,
    },
    wait_timer: 0,
    wait_timer_started_at: null,
    current_user_can_approve: mayReview(world, run.repository, environment, appBot(world)),
    reviewers: environment.reviewers.flatMap((reviewer) => reviewerBodies(world, run, reviewer)),
  }
}

/** GitHub's deployment; each job with an environment leaves one. */
const deploymentBody = (world: World, { run, environment, jobId }: PendingApproval) => {
  const repo = `${world.urls.api}/repos/${fullName(run.repository)}`
  const url = `${repo}/deployments/${jobId}`
  return {
    url,
    id: jobId,
    node_id: nodeId('DE', jobId),
    sha: run.sha,
    ref: run.headBranch,
    task: 'deploy',
    payload: {},
    original_environment: environment.name,
    environment: environment.name,
    description: null,
    creator: accountBody(world, run.actor),
    created_at: stamp(run.createdAt),
    updated_at: stamp(world.clock()),
    statuses_url: `${url}/statuses`,
    repository_url: repo,
  }
}

const decisionSchema = z.object({
  environment_ids: z.array(z.int()),
  state: z.enum(['approved', 'rejected']),
  comment: z.string(),
})

const decide = (call: RepositoryCall) => {
  const { world } = call
  const run = runOf(call)
  const given = parseBody('Deployment', decisionSchema, call.body)
  const wanted = pendingApprovals(world, run).filter(({ environment }) =>
    given.environment_ids.includes(environment.id),
  )
  if (wanted.length === 0) throw new GitHubError(422, 'No pending deployment requests to approve or reject')
  if (!wanted.every(({ environment }) => mayReview(world, run.repository, environment, appBot(world)))) {
    throw new GitHubError(422, 'There was a problem approving one or more of the gates: not a required reviewer')
  }
  const body = wanted.map((one) => deploymentBody(world, one))
  decideApprovals(world, wanted, given.state === 'approved')
  return { body }
}

/** GitHub Docs, 'REST API endpoints for workflow runs': the operations that change a run. */
export const runChangeRoutes = [
  repositoryRoute('POST', '/actions/runs/{run_id}/cancel', ['actions', 'write'], cancel),
  repositoryRoute('POST', '/actions/runs/{run_id}/rerun', ['actions', 'write'], rerun('all')),
  repositoryRoute('POST', '/actions/runs/{run_id}/rerun-failed-jobs', ['actions', 'write'], rerun('failed')),
  repositoryRoute('GET', '/actions/runs/{run_id}/pending_deployments', ['actions', 'read'], (call) => ({
    body: byEnvironment(pendingApprovals(call.world, runOf(call))).map((one) => pendingBody(call.world, one)),
  })),
  repositoryRoute('POST', '/actions/runs/{run_id}/pending_deployments', ['deployments', 'write'], decide),
]
