import type { z } from 'zod'
import { readMergeGroup } from '#domain/merge-group.ts'
import type { Fact, IgnoredFact, InstallationsFact, PullRequestFact, RerequestFact } from '../fact.ts'
import type * as payloads from './payloads.ts'
import { pathOf } from './workflow-runs.ts'

/* Turns each payload of payloads.ts into a fact; deliveries.ts says which event has which payload. */

export const toPullRequest = (payload: z.infer<typeof payloads.PullRequestPayload>): PullRequestFact => {
  const { repository, number, pull_request: pull } = payload
  const mergeCommitSha = pull.merged === true ? (pull.merge_commit_sha ?? null) : null
  return { kind: 'pull_request', repoId: repository.id, number, mergeCommitSha }
}

export const toInstallations = (): InstallationsFact => ({ kind: 'installations' })

type OfInstallation = { action: string; installation?: { id: number } | undefined }

/** A transferred repository may concern two installations, whichever the delivery names. */
export const toRepositories = ({ action, installation }: OfInstallation): InstallationsFact =>
  installation === undefined || action === 'transferred'
    ? toInstallations()
    : { kind: 'installations', installationId: installation.id }

const ignored = (reason: string): IgnoredFact => ({ kind: 'ignored', reason })

export const toAccountRenamed = ({ account }: z.infer<typeof payloads.InstallationTargetPayload>): Fact =>
  account.login === undefined ? ignored('of an enterprise, which holds no repositories') : toInstallations()

type InRepository = { repository: { id: number } }

const toTagFact = ({ repository }: InRepository): Fact => ({ kind: 'tag', repoId: repository.id })

export const toPush = (payload: z.infer<typeof payloads.PushPayload>): Fact => {
  const { repository, ref, deleted } = payload
  return ref.startsWith('refs/tags/') ? toTagFact(payload) : { kind: 'push', repoId: repository.id, ref, deleted }
}

export const toTag = (payload: z.infer<typeof payloads.RefPayload>): Fact =>
  payload.ref_type === 'tag'
    ? toTagFact(payload)
    : ignored(`nothing follows from a new or deleted ${payload.ref_type}: its push reports it`)

export const toRelease = (payload: z.infer<typeof payloads.ReleasePayload>): Fact => toTagFact(payload)

/**
 * Only people command. Our own answers come from a bot, as do the comments of every app that speaks for itself. If they were
 * read as commands, two apps that quote each other would never stop. What a person says through some app counts as theirs, and
 * is read.
 */
export const toComment = (payload: z.infer<typeof payloads.CommentPayload>): Fact => {
  const { repository, issue, comment } = payload
  if (issue.pull_request === undefined) return ignored('not on a pull request')
  if (comment.user === null) return ignored('its author is gone')
  if (comment.user.type !== 'User') return ignored(`by a ${comment.user.type}, not a person`)
  return {
    kind: 'comment',
    repoId: repository.id,
    number: issue.number,
    commentId: comment.id,
    author: comment.user.login,
    authorId: comment.user.id,
    body: comment.body,
    writtenAt: comment.created_at,
  }
}

/** Every check run of ours has an external id; GitHub sends a re-request only to the app that made the check run. */
export const toRerequest = (payload: z.infer<typeof payloads.CheckRunPayload>): Fact => {
  const { head_sha: sha, external_id: externalId } = payload.check_run
  if (!externalId) return ignored('without an external id, so not one of ours')
  return { kind: 'rerequest', repoId: payload.repository.id, sha, externalId, ...by(payload) }
}

export const toSuiteRerequest = (payload: z.infer<typeof payloads.CheckSuitePayload>): RerequestFact => ({
  kind: 'rerequest',
  repoId: payload.repository.id,
  sha: payload.check_suite.head_sha,
  ...by(payload),
})

export const toWorkflowRun = (payload: z.infer<typeof payloads.WorkflowRunPayload>): Fact => {
  const { action, repository, workflow_run: run, workflow } = payload
  const path = run.path ?? workflow?.path
  if (path === undefined) return { ...ignored('neither the run nor its workflow has a path'), isUnreadable: true }
  const { id: workflowRunId, event } = run
  return { kind: 'workflow_run', action, repoId: repository.id, workflowRunId, event, path: pathOf(path) }
}

/** Who asked for it on the code host's pages. */
const by = ({ sender }: { sender: { id: number; login: string } }) => ({ actor: sender.login, accountId: sender.id })

export const toRevoked = ({ sender }: z.infer<typeof payloads.AuthorizationPayload>): Fact => ({
  kind: 'revoked',
  accountId: sender.id,
  login: sender.login,
})

export const toMergeGroup = (payload: z.infer<typeof payloads.MergeGroupPayload>): Fact => {
  const { action, repository, merge_group: queued } = payload
  const group = readMergeGroup(queued.head_ref)
  if (group === undefined)
    return { ...ignored('its branch is not named as merge queues name theirs'), isUnreadable: true }
  return { kind: 'merge_group', action, repoId: repository.id, group, sha: queued.head_sha, baseSha: queued.base_sha }
}
