import type { JobIdentity } from '#emulator/actions/contract.ts'
import type { WorkflowRun } from '#emulator/records.ts'
import { fullName } from '#emulator/store.ts'
import type { Claims } from './issuer.ts'

/**
 * All claims of a job's token except its audience (GitHub Docs, 'OpenID Connect reference'). No claim names the head of a
 * pull request: `sha` is the test merge.
 */
export const claimsOf = (run: WorkflowRun, job: JobIdentity): Claims => {
  const { repository, actor } = run
  const workflowRef = `${fullName(repository)}/${run.workflow.path}@${run.ref}`
  return {
    sub: subject(run, job),
    ref: run.ref,
    ref_type: run.ref.startsWith('refs/tags/') ? 'tag' : 'branch',
    sha: run.sha,
    head_ref: run.headRef,
    base_ref: run.baseRef,
    event_name: run.event,
    repository: fullName(repository),
    repository_id: String(repository.id),
    repository_owner: repository.owner.login,
    repository_owner_id: String(repository.owner.id),
    repository_visibility: repository.private ? 'private' : 'public',
    actor: actor.login,
    actor_id: String(actor.id),
    run_id: String(run.id),
    run_number: String(run.number),
    run_attempt: String(job.attempt),
    runner_environment: 'github-hosted',
    workflow: run.workflow.name,
    workflow_ref: workflowRef,
    workflow_sha: run.sha,
    job_workflow_ref: job.jobWorkflowRef ?? workflowRef,
    job_workflow_sha: run.sha,
    check_run_id: String(job.id),
    ...(job.environment === undefined ? {} : { environment: job.environment }),
  }
}

/** With ids, as for repositories made after 15 July 2026: code that splits the subject at its slashes fails here. */
const subject = (run: WorkflowRun, job: JobIdentity): string => {
  const { owner, name, id } = run.repository
  const what =
    job.environment !== undefined
      ? `environment:${encodeURIComponent(job.environment)}`
      : run.event === 'pull_request'
        ? 'pull_request'
        : `ref:${run.ref}`
  return `repo:${owner.login}@${owner.id}/${name}@${id}:${what}`
}
