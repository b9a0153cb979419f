import { accountBody } from '#emulator/bodies/account.ts'
import { installationBody, installedRepositories, installedRepositoryBody } from '#emulator/bodies/app.ts'
import { commentBody } from '#emulator/bodies/comment.ts'
import { issueBodyOfPull } from '#emulator/bodies/issue.ts'
import { nodeId, stamp } from '#emulator/bodies/node-id.ts'
import { jobBody, workflowBody, workflowRunBody } from '#emulator/bodies/workflow-run.ts'
import type {
  Account,
  Comment,
  Installation,
  PullRequest,
  Repository,
  WorkflowJob,
  WorkflowRun,
} from '#emulator/records.ts'
import { installationOn } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { type PullRequestChange, pullRequestPayload, sharedFields } from './pull-request-payload.ts'

/*
 * One function for each kind of event (GitHub Docs, 'Webhook events and payloads'): each builds the payload at once, so a
 * later change does not show in an event that is still queued.
 */

/** An event of a repository, with the fields that all events share; not sent if the app is not installed there. */
export const emitFrom = (
  world: World,
  event: string,
  payload: Record<string, unknown>,
  about: { repository: Repository; sender: Account },
): void => {
  const { repository, sender } = about
  const installation = installationOn(world.store, repository)
  if (!installation) return
  const own = { installation: { id: installation.id, node_id: nodeId('I', installation.id) } }
  const shared = sharedFields(world, repository, sender)
  world.webhooks.emit(event, { ...shared, ...own, ...payload }, { installation, repositoryId: repository.id })
}

export const emitPing = (world: World, url: string): void => {
  const { app } = world
  world.webhooks.emit(
    'ping',
    {
      zen: 'Design for failure.',
      hook_id: app.id + 1_000_000,
      hook: {
        type: 'App',
        id: app.id + 1_000_000,
        name: 'web',
        active: true,
        events: app.events,
        config: { content_type: 'json', insecure_ssl: '0', secret: '********', url },
        updated_at: stamp(app.createdAt),
        created_at: stamp(app.createdAt),
        app_id: app.id,
      },
    },
    {},
  )
}

export const emitInstallation = (
  world: World,
  installation: Installation,
  action: 'created' | 'deleted' | 'suspend' | 'unsuspend' | 'new_permissions_accepted',
): void => {
  const payload = {
    action,
    installation: installationBody(world, installation),
    ...(action === 'created' || action === 'deleted'
      ? { repositories: installedRepositories(world, installation) }
      : {}),
    sender: accountBody(world, installation.account),
  }
  world.webhooks.emit('installation', payload, { installation })
}

export const emitInstallationRepositories = (
  world: World,
  installation: Installation,
  action: 'added' | 'removed',
  repositories: Repository[],
): void =>
  world.webhooks.emit(
    'installation_repositories',
    {
      action,
      installation: {
        ...installationBody(world, installation),
        // Numbers here, strings in the installation's own events: GitHub's published examples differ this way.
        created_at: Math.floor(installation.createdAt.getTime() / 1000),
        updated_at: Math.floor(installation.updatedAt.getTime() / 1000),
      },
      repository_selection: installation.repositoryIds === undefined ? 'all' : 'selected',
      repositories_added: action === 'added' ? repositories.map(installedRepositoryBody) : [],
      repositories_removed: action === 'removed' ? repositories.map(installedRepositoryBody) : [],
      sender: accountBody(world, installation.account),
    },
    { installation },
  )

export const emitPullRequest = (world: World, pull: PullRequest, change: PullRequestChange): void =>
  emitFrom(world, 'pull_request', pullRequestPayload(world, pull, change), {
    repository: pull.repository,
    sender: change.sender,
  })

export const emitComment = (
  world: World,
  pull: PullRequest,
  comment: Comment,
  action: 'created' | 'edited' | 'deleted',
  sender: Account,
  more: Record<string, unknown> = {},
): void =>
  emitFrom(
    world,
    'issue_comment',
    { action, issue: issueBodyOfPull(world, pull), comment: commentBody(world, comment), ...more },
    { repository: pull.repository, sender },
  )

export const emitWorkflowRun = (
  world: World,
  run: WorkflowRun,
  action: 'requested' | 'in_progress' | 'completed',
): void =>
  emitFrom(
    world,
    'workflow_run',
    { action, workflow_run: workflowRunBody(world, run), workflow: workflowBody(world, run.workflow) },
    { repository: run.repository, sender: run.actor },
  )

export const emitWorkflowJob = (world: World, job: WorkflowJob): void =>
  emitFrom(
    world,
    'workflow_job',
    { action: job.status, workflow_job: jobBody(world, job) },
    { repository: job.run.repository, sender: job.run.actor },
  )
