import type { z } from 'zod'
import type { Fact } from '../fact.ts'
import {
  toAccountRenamed,
  toComment,
  toInstallations,
  toMergeGroup,
  toPullRequest,
  toPush,
  toRelease,
  toRepositories,
  toRerequest,
  toRevoked,
  toSuiteRerequest,
  toTag,
  toWorkflowRun,
} from './payload-facts.ts'
import {
  AuthorizationPayload,
  CheckRunPayload,
  CheckSuitePayload,
  CommentPayload,
  InstallationPayload,
  InstallationRepositoriesPayload,
  InstallationTargetPayload,
  MergeGroupPayload,
  PullRequestPayload,
  PushPayload,
  RefPayload,
  ReleasePayload,
  RepositoryPayload,
  WorkflowRunPayload,
} from './payloads.ts'

/** What a delivery (X-GitHub-Event and its JSON) says. Never throws: what cannot be read is ignored, with the reason. */
export const readDelivery = (event: string, payload: unknown): Fact => {
  const reader = readers.get(event)
  return reader === undefined ? { kind: 'ignored', reason: nothingFrom(event) } : reader.read(event, payload)
}

/** How an event is read, and by which fields of its payload. */
type Reader = { fields: readonly string[]; read(event: string, payload: unknown): Fact }

const reading = <T extends z.ZodRawShape>(
  schema: z.ZodObject<T>,
  toFact: (payload: z.infer<z.ZodObject<T>>) => Fact,
): Reader => ({
  fields: Object.keys(schema.shape),
  read: (event, payload) => {
    const { success, data, error } = schema.safeParse(payload)
    if (success) return toFact(data)
    const issue = error.issues[0]
    const field = issue?.path.join('.') || 'the payload'
    const action = (payload as { action?: unknown } | null)?.action
    if (field === 'action' && typeof action === 'string')
      return { kind: 'ignored', reason: nothingFrom(`${event} ${action}`) }
    return { kind: 'ignored', reason: `${field}: ${issue?.message}`, isUnreadable: true }
  },
})

/** Why nothing follows from an event that GitHub sends to an app like this one all the same. */
const silent: ReadonlyMap<string, string> = new Map([
  ['ping', 'it says that the address is right'],
  ['pull_request_review', 'the gate reads the reviews when it is asked'],
  ['workflow_job', 'its workflow run says it'],
  ['check_run requested_action', 'no buttons are offered'],
  ['check_suite requested', 'every push makes one'],
  ['issue_comment edited', 'only a new comment is a command'],
  ['issue_comment deleted', 'only a new comment is a command'],
])

const nothingFrom = (what: string): string => {
  const why = silent.get(what)
  return `nothing follows from ${what}${why === undefined ? '' : `: ${why}`}`
}

const readers: ReadonlyMap<string, Reader> = new Map([
  ['pull_request', reading(PullRequestPayload, toPullRequest)],
  ['installation', reading(InstallationPayload, toInstallations)],
  ['installation_repositories', reading(InstallationRepositoriesPayload, toRepositories)],
  ['installation_target', reading(InstallationTargetPayload, toAccountRenamed)],
  ['repository', reading(RepositoryPayload, toRepositories)],
  ['push', reading(PushPayload, toPush)],
  ['issue_comment', reading(CommentPayload, toComment)],
  ['check_run', reading(CheckRunPayload, toRerequest)],
  ['check_suite', reading(CheckSuitePayload, toSuiteRerequest)],
  ['workflow_run', reading(WorkflowRunPayload, toWorkflowRun)],
  ['create', reading(RefPayload, toTag)],
  ['delete', reading(RefPayload, toTag)],
  ['release', reading(ReleasePayload, toRelease)],
  ['merge_group', reading(MergeGroupPayload, toMergeGroup)],
  ['github_app_authorization', reading(AuthorizationPayload, toRevoked)],
])

/** The fields of payloads by which any event is read, and the one that says whose lane it takes. */
export const fieldsRead: ReadonlySet<string> = new Set([
  ...[...readers.values()].flatMap(({ fields }) => fields),
  'installation',
])
