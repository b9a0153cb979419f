import { z } from 'zod'

/*
 * The fields read of GitHub's webhook payloads ('Webhook events and payloads'), each as lax as GitHub's published examples
 * require. Fields that no fact needs are not listed, so a change elsewhere breaks nothing.
 */

const id = z.number().int()

const inRepository = { repository: z.object({ id }) }

const Login = z.object({ login: z.string() })
const Sender = z.object({ id: z.int(), login: z.string() })

export const PullRequestPayload = z.object({
  action: z.enum(['opened', 'reopened', 'synchronize', 'edited', 'closed', 'ready_for_review', 'converted_to_draft']),
  ...inRepository,
  number: z.number().int(),
  pull_request: z.object({ merged: z.boolean().nullish(), merge_commit_sha: z.string().nullish() }),
})

export const InstallationPayload = z.object({
  action: z.enum(['created', 'deleted', 'suspend', 'unsuspend', 'new_permissions_accepted']),
})

const ofInstallation = { installation: z.object({ id }).optional() }

export const InstallationRepositoriesPayload = z.object({ action: z.enum(['added', 'removed']), ...ofInstallation })

/** The account of an enterprise's installation has no login. */
export const InstallationTargetPayload = z.object({ action: z.literal('renamed'), account: Login.partial() })

export const RepositoryPayload = z.object({
  action: z.enum([
    'created',
    'renamed',
    'transferred',
    'edited',
    'archived',
    'unarchived',
    'privatized',
    'publicized',
    'deleted',
  ]),
  ...ofInstallation,
})

export const PushPayload = z.object({ ...inRepository, ref: z.string(), deleted: z.boolean().default(false) })

/** An author is null once the account is gone, and then their comments are not commands. */
export const CommentPayload = z.object({
  action: z.literal('created'),
  ...inRepository,
  issue: z.object({ number: z.number().int(), pull_request: z.object({}).optional() }),
  comment: z.object({
    id,
    body: z.string(),
    user: z.object({ id, login: z.string(), type: z.string() }).nullable(),
    created_at: z.iso.datetime({ offset: true }),
  }),
})

export const CheckRunPayload = z.object({
  action: z.literal('rerequested'),
  ...inRepository,
  check_run: z.object({ head_sha: z.string(), external_id: z.string().nullish() }),
  sender: Sender,
})

export const CheckSuitePayload = z.object({
  action: z.literal('rerequested'),
  ...inRepository,
  check_suite: z.object({ head_sha: z.string() }),
  sender: Sender,
})

/** The run names its file itself, but not in every payload. */
export const WorkflowRunPayload = z.object({
  action: z.enum(['requested', 'in_progress', 'completed']),
  ...inRepository,
  workflow_run: z.object({ id, event: z.string(), path: z.string().optional() }),
  workflow: z.object({ path: z.string() }).nullish(),
})

/** The payload of `create` and `delete`. */
export const RefPayload = z.object({ ...inRepository, ref_type: z.string() })

export const ReleasePayload = z.object({ action: z.enum(['published', 'edited', 'deleted']), ...inRepository })

export const AuthorizationPayload = z.object({
  action: z.literal('revoked'),
  sender: z.object({ id, login: z.string() }),
})

/** `head_ref` is the full ref of the queue's branch. */
export const MergeGroupPayload = z.object({
  action: z.enum(['checks_requested', 'destroyed']),
  ...inRepository,
  merge_group: z.object({ head_sha: z.string(), head_ref: z.string(), base_sha: z.string() }),
})
