import type { JobIdentity } from '#emulator/actions/contract.ts'
import type { Account, Environment, Repository, WorkflowRun } from '#emulator/records.ts'
import type { World } from '#emulator/world.ts'
import type { PendingApproval } from './pending-approval.ts'

/** Asks for the approval that a job's environment requires; undefined if it requires none, or the job has no environment. */
export const askApproval = (world: World, job: JobIdentity): Promise<boolean> | undefined => {
  const run = world.store.workflowRuns.get(job.runId)
  const environment = run?.repository.environments.get(job.environment?.toLowerCase() ?? '')
  if (!run || !environment) return undefined
  const { promise, resolve } = Promise.withResolvers<boolean>()
  world.approvals.set(job.id, { run, jobId: job.id, environment, decide: resolve })
  return promise
}

export const pendingApprovals = (world: World, run: WorkflowRun): PendingApproval[] =>
  [...world.approvals.values()].filter((pending) => pending.run === run)

/** Whether a person is a reviewer of an environment, by name or through a team. */
export const mayReview = (world: World, repository: Repository, environment: Environment, person: Account): boolean => {
  const login = person.login.toLowerCase()
  return environment.reviewers.some((reviewer) => {
    const [organization = '', slug] = reviewer.toLowerCase().split('/')
    if (slug === undefined) return organization === login
    const team = [...world.store.teams.values()].find(
      (one) => one.organization === repository.owner && one.slug.toLowerCase() === slug,
    )
    return team?.members.get(login)?.state === 'active'
  })
}

/** Lets the jobs that wait for an environment go on, or fails them; one decision applies to the whole run. */
export const decideApprovals = (world: World, pending: readonly PendingApproval[], approved: boolean): void => {
  for (const one of pending) {
    world.approvals.delete(one.jobId)
    one.decide(approved)
  }
}
