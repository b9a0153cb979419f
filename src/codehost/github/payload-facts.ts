import type { z } from 'zod'
import type {
  AccountRenamedFact,
  Fact,
  IgnoredFact,
  InstallationFact,
  InstallationRepositoriesFact,
  PullRequestFact,
  RepositoryFact,
  RepositoryName,
  RerequestFact,
} from '../fact.ts'
import type { Installation } from '../port.ts'
import type * as payloads from './payloads.ts'
import { pathOf } from './workflow-runs.ts'

/* What the payloads of payloads.ts say, each as a fact; which event is of which payload is said in deliveries.ts. */

const from = (installation: { id: number } | undefined) =>
  installation === undefined ? {} : { installationId: installation.id }

export const toPullRequest = (payload: z.infer<typeof payloads.PullRequestPayload>): PullRequestFact => {
  const { action, number, pull_request: pull } = payload
  return {
    kind: 'pull_request',
    action,
    ...from(payload.installation),
    repoId: payload.repository.id,
    number,
    state: pull.state,
    headSha: pull.head.sha,
    headRef: pull.head.ref,
    headRepoId: pull.head.repo?.id ?? null,
    baseSha: pull.base.sha,
    baseRef: pull.base.ref,
    baseChanged: payload.changes?.base !== undefined,
    author: pull.user?.login ?? 'ghost',
    draft: pull.draft,
    merged: pull.merged ?? false,
    mergeCommitSha: pull.merge_commit_sha ?? null,
  }
}

const toInstallation = (given: z.infer<typeof payloads.InstallationPayload>['installation']): Installation => ({
  id: given.id,
  accountId: given.account.id,
  accountLogin: given.account.login,
  accountType: given.account.type,
  suspendedAt: given.suspended_at ?? null,
})

const toNames = (entries: readonly { id: number; full_name: string }[]): RepositoryName[] =>
  entries.map(({ id, full_name }) => {
    const [owner = '', name = ''] = full_name.split('/')
    return { id, owner, name }
  })

export const toInstallationFact = (payload: z.infer<typeof payloads.InstallationPayload>): InstallationFact => ({
  kind: 'installation',
  action: payload.action,
  installation: toInstallation(payload.installation),
  repositories: toNames(payload.repositories),
})

export const toRepository = (payload: z.infer<typeof payloads.RepositoryPayload>): RepositoryFact => {
  const { id, name, owner, default_branch, archived } = payload.repository
  const { repository, owner: formerOwner, default_branch: formerBranch } = payload.changes
  const login = (formerOwner?.from.user ?? formerOwner?.from.organization)?.login
  return {
    kind: 'repository',
    action: payload.action,
    ...from(payload.installation),
    repository: { id, owner: owner.login, name, defaultBranch: default_branch, archived },
    former: {
      ...(repository === undefined ? {} : { name: repository.name.from }),
      ...(login === undefined ? {} : { owner: login }),
      ...(formerBranch === undefined ? {} : { defaultBranch: formerBranch.from }),
    },
  }
}

export const toInstallationRepositories = (
  payload: z.infer<typeof payloads.InstallationRepositoriesPayload>,
): InstallationRepositoriesFact => ({
  kind: 'installation_repositories',
  action: payload.action,
  installation: toInstallation(payload.installation),
  added: toNames(payload.repositories_added),
  removed: toNames(payload.repositories_removed),
})

export const toAccountRenamed = (payload: z.infer<typeof payloads.InstallationTargetPayload>): AccountRenamedFact => ({
  kind: 'installation',
  action: 'renamed',
  installationId: payload.installation.id,
  accountId: payload.account.id,
  login: payload.account.login,
  former: payload.changes.login.from,
})

const ignored = (reason: string): IgnoredFact => ({ kind: 'ignored', reason })

type InRepository = { installation?: { id: number } | undefined; repository: { id: number } }

const within = ({ installation, repository }: InRepository) => ({ ...from(installation), repoId: repository.id })

const toTagFact = (payload: InRepository, tag: string): Fact => ({ kind: 'tag', ...within(payload), tag })

const tagPrefix = 'refs/tags/'

export const toPush = (payload: z.infer<typeof payloads.PushPayload>): Fact => {
  const { installation, repository, ...rest } = payload
  if (rest.ref.startsWith(tagPrefix)) return toTagFact(payload, rest.ref.slice(tagPrefix.length))
  return { kind: 'push', ...within(payload), defaultBranch: repository.default_branch, ...rest }
}

export const toTag = (payload: z.infer<typeof payloads.RefPayload>): Fact =>
  payload.ref_type === 'tag'
    ? toTagFact(payload, payload.ref)
    : ignored(`nothing follows from a new or deleted ${payload.ref_type}: its push tells`)

export const toRelease = (payload: z.infer<typeof payloads.ReleasePayload>): Fact =>
  toTagFact(payload, payload.release.tag_name)

/**
 * Only people command. Our own answers come from a bot, as do those of every app that speaks for itself: read as commands,
 * two apps that quote each other would never stop. What a person says through some app is theirs, and is read.
 */
export const toComment = (payload: z.infer<typeof payloads.CommentPayload>): Fact => {
  const { issue, comment } = payload
  if (issue.pull_request === undefined) return ignored('issue_comment: not on a pull request')
  if (comment.user === null) return ignored('issue_comment: its author is gone')
  if (comment.user.type !== 'User') return ignored(`issue_comment: by a ${comment.user.type}, not a person`)
  return {
    kind: 'comment',
    ...within(payload),
    number: issue.number,
    commentId: comment.id,
    author: comment.user.login,
    body: comment.body,
    writtenAt: comment.created_at,
  }
}

/** Every check run of ours has an external id; GitHub tells of a re-request only the app that made the check run. */
export const toRerequest = (payload: z.infer<typeof payloads.CheckRunPayload>): Fact => {
  const { head_sha: sha, external_id: externalId } = payload.check_run
  if (!externalId) return ignored('check_run: without an external id, so none of ours')
  return { kind: 'rerequest', ...within(payload), sha, externalId, actor: payload.sender.login }
}

export const toSuiteRerequest = (payload: z.infer<typeof payloads.CheckSuitePayload>): RerequestFact => ({
  kind: 'rerequest',
  ...within(payload),
  sha: payload.check_suite.head_sha,
  actor: payload.sender.login,
})

export const toWorkflowRun = (payload: z.infer<typeof payloads.WorkflowRunPayload>): Fact => {
  const { action, workflow_run: run } = payload
  const path = run.path ?? payload.workflow?.path
  if (path === undefined) return ignored('workflow_run: neither the run nor its workflow has a path')
  return {
    kind: 'workflow_run',
    action,
    ...within(payload),
    workflowRunId: run.id,
    attempt: run.run_attempt,
    event: run.event,
    path: pathOf(path),
  }
}
