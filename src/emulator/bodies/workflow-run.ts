import type { Workflow, WorkflowJob, WorkflowRun } from '#emulator/records.ts'
import { fullName } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { accountBody } from './account.ts'
import { simpleCommitBody } from './commit.ts'
import { nodeId, stamp } from './node-id.ts'
import { minimalPullBody } from './pull-request.ts'
import { minimalRepositoryBody } from './repository.ts'

/** GitHub's workflow: a file that has run at least once. */
export const workflowBody = (world: World, workflow: Workflow) => {
  const repo = fullName(workflow.repository)
  return {
    id: workflow.id,
    node_id: nodeId('W', workflow.id),
    name: workflow.name,
    path: workflow.path,
    state: workflow.disabled ? 'disabled_manually' : 'active',
    created_at: stamp(workflow.createdAt),
    updated_at: stamp(workflow.createdAt),
    url: `${world.urls.api}/repos/${repo}/actions/workflows/${workflow.id}`,
    html_url: `${world.urls.web}/${repo}/blob/${workflow.repository.defaultBranch}/${workflow.path}`,
    badge_url: `${world.urls.web}/${repo}/workflows/${encodeURIComponent(workflow.name)}/badge.svg`,
  }
}

const addresses = (world: World, run: WorkflowRun) => {
  const repo = `${world.urls.api}/repos/${fullName(run.repository)}`
  const url = `${repo}/actions/runs/${run.id}`
  return {
    url,
    html_url: `${world.urls.web}/${fullName(run.repository)}/actions/runs/${run.id}`,
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${repo}/check-suites/${run.suite.id}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: run.attempt > 1 ? `${url}/attempts/${run.attempt - 1}` : null,
    workflow_url: `${repo}/actions/workflows/${run.workflow.id}`,
  }
}

/** GitHub's workflow-run: in REST and in webhooks. */
export const workflowRunBody = (world: World, run: WorkflowRun) => {
  const repository = minimalRepositoryBody(world, run.repository)
  const actor = accountBody(world, run.actor)
  return {
    id: run.id,
    name: run.workflow.name,
    node_id: nodeId('WFR', run.id),
    head_branch: run.headBranch,
    head_sha: run.headSha,
    path: run.workflow.path,
    display_title: run.displayTitle,
    run_number: run.number,
    run_attempt: run.attempt,
    event: run.event,
    status: run.status,
    conclusion: run.conclusion,
    workflow_id: run.workflow.id,
    check_suite_id: run.suite.id,
    check_suite_node_id: nodeId('CS', run.suite.id),
    ...addresses(world, run),
    // Pull requests from forks are left out.
    pull_requests: run.pull?.headRepository === run.repository ? [minimalPullBody(world, run.pull)] : [],
    created_at: stamp(run.createdAt),
    updated_at: stamp(run.updatedAt),
    run_started_at: stamp(run.startedAt),
    actor,
    triggering_actor: actor,
    referenced_workflows: [],
    repository,
    head_repository: minimalRepositoryBody(world, run.pull?.headRepository ?? run.repository),
    head_commit: simpleCommitBody(run.headCommit),
  }
}

/** GitHub's job. The runner is a hosted one; a job that never began has none. */
export const jobBody = (world: World, job: WorkflowJob) => {
  const { run } = job
  const repo = `${world.urls.api}/repos/${fullName(run.repository)}`
  return {
    id: job.id,
    run_id: run.id,
    workflow_name: run.workflow.name,
    head_branch: run.headBranch,
    run_url: `${repo}/actions/runs/${run.id}`,
    run_attempt: job.attempt,
    node_id: nodeId('J', job.id),
    head_sha: run.headSha,
    url: `${repo}/actions/jobs/${job.id}`,
    html_url: `${world.urls.web}/${fullName(run.repository)}/actions/runs/${run.id}/job/${job.id}`,
    status: job.status,
    conclusion: job.conclusion,
    created_at: stamp(job.createdAt),
    started_at: stamp(job.startedAt ?? job.createdAt),
    completed_at: job.completedAt ? stamp(job.completedAt) : null,
    name: job.name,
    steps: job.steps.map((step) => ({ ...step })),
    check_run_url: `${repo}/check-runs/${job.id}`,
    labels: job.labels,
    runner_id: job.startedAt ? 1 : null,
    runner_name: job.startedAt ? 'emulated runner' : null,
    runner_group_id: job.startedAt ? 0 : null,
    runner_group_name: job.startedAt ? 'GitHub Actions' : null,
  }
}
