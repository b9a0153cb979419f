import { type InstallationHandle, installationHandle } from './handles/installation-handle.ts'
import { type OrganizationHandle, organizationHandle } from './handles/organization-handle.ts'
import { type PersonHandle, personHandle } from './handles/person-handle.ts'
import { type PullRequestHandle, pullRequestHandle } from './handles/pull-request-handle.ts'
import { type RepositoryHandle, repositoryHandle } from './handles/repository-handle.ts'
import { type WorkflowRunHandle, workflowRunHandle } from './handles/workflow-run-handle.ts'
import { type InstallationOptions, install } from './people/installations.ts'
import { openPullRequest, type PullRequestOptions } from './people/pull-requests.ts'
import { createRepository, type RepositoryOptions } from './people/repositories.ts'
import type { Delivery, WorkflowJob } from './records.ts'
import { repositoryNamed } from './store.ts'
import type { World } from './world.ts'

export type { OrganizationHandle } from './handles/organization-handle.ts'
export type { PersonHandle } from './handles/person-handle.ts'
export type { PullRequestHandle } from './handles/pull-request-handle.ts'
export type { RepositoryHandle } from './handles/repository-handle.ts'
export type { WorkflowRunHandle } from './handles/workflow-run-handle.ts'

export type Handles = {
  createInstallation(options: InstallationOptions): InstallationHandle
  createRepository(options: RepositoryOptions): Promise<RepositoryHandle>
  /** `repo` is owner/name. */
  openPullRequest(options: PullRequestOptions & { repo: string }): Promise<PullRequestHandle>
  /** By login; created at the first mention. */
  organization(login: string): OrganizationHandle
  /** By login; created at the first mention. */
  person(login: string): PersonHandle
  /** Throws if no run has this id. */
  workflowRun(id: number): WorkflowRunHandle
  /** Webhook deliveries in order of their events, including those still being sent. */
  deliveries(): Readonly<Delivery>[]
  /** Those that have ended are gone: GitHub keeps them for three days. */
  forgetDeliveries(): void
  jobs(runId: number): Readonly<WorkflowJob>[]
}

/** What people do on GitHub's pages, as functions: a person is named by login and needs no sign-up. */
export const createHandles = (world: World): Handles => ({
  createInstallation: (options) => installationHandle(world, install(world, options)),
  createRepository: async (options) => repositoryHandle(world, await createRepository(world, options)),
  openPullRequest: async ({ repo, ...options }) =>
    pullRequestHandle(world, await openPullRequest(world, repositoryNamed(world.store, repo), options)),
  organization: (login) => organizationHandle(world, login),
  person: (login) => personHandle(world, login),
  workflowRun: (id) => {
    const run = world.store.workflowRuns.get(id)
    if (!run) throw new Error(`there is no workflow run ${id}`)
    return workflowRunHandle(world, run)
  },
  deliveries: () => [...world.store.deliveries.values()],
  forgetDeliveries: () => {
    for (const { id, outcome } of world.store.deliveries.values()) if (outcome) world.store.deliveries.delete(id)
  },
  jobs: (runId) => [...world.store.jobs.values()].filter((job) => job.run.id === runId),
})
