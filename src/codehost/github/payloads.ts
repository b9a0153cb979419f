import { z } from 'zod'

/*
 * The fields read of GitHub's webhook payloads ('Webhook events and payloads'), each as lax as GitHub's published
 * examples ask for. What the facts do not need is not named, so that a field that changes elsewhere breaks nothing.
 */

const id = z.number().int()

const installation = z.object({ id }).optional()

const Owner = z.object({ login: z.string() })

const Repository = z.object({
  id,
  name: z.string(),
  owner: Owner,
  default_branch: z.string(),
  archived: z.boolean().default(false),
})

export const PullRequestPayload = z.object({
  action: z.enum(['opened', 'reopened', 'synchronize', 'edited', 'closed', 'ready_for_review', 'converted_to_draft']),
  installation,
  repository: z.object({ id }),
  number: z.number().int(),
  changes: z.object({ base: z.object({}).optional() }).optional(),
  pull_request: z.object({
    state: z.enum(['open', 'closed']),
    draft: z.boolean().default(false),
    merged: z.boolean().nullish(),
    merge_commit_sha: z.string().nullish(),
    user: Owner.nullish(),
    head: z.object({ sha: z.string(), ref: z.string(), repo: z.object({ id }).nullish() }),
    base: z.object({ sha: z.string(), ref: z.string() }),
  }),
})

/** Short entries: an id and a full name, without owner or default branch. */
const RepositoryEntries = z.array(z.object({ id, full_name: z.string().regex(/^[^/]+\/[^/]+$/) })).default([])

const Installation = z.object({
  id,
  account: z.object({ id, login: z.string(), type: z.enum(['User', 'Organization']) }),
  suspended_at: z.string().nullish(),
})

export const InstallationPayload = z.object({
  action: z.enum(['created', 'deleted', 'suspend', 'unsuspend', 'new_permissions_accepted']),
  installation: Installation,
  repositories: RepositoryEntries,
})

export const InstallationRepositoriesPayload = z.object({
  action: z.enum(['added', 'removed']),
  installation: Installation,
  repositories_added: RepositoryEntries,
  repositories_removed: RepositoryEntries,
})

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
  installation,
  repository: Repository,
  changes: z
    .object({
      repository: z.object({ name: z.object({ from: z.string() }) }).optional(),
      owner: z.object({ from: z.object({ user: Owner.nullish(), organization: Owner.nullish() }) }).optional(),
      default_branch: z.object({ from: z.string() }).optional(),
    })
    .default({}),
})

export const PushPayload = z.object({
  installation,
  repository: z.object({ id, default_branch: z.string() }),
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  created: z.boolean().default(false),
  deleted: z.boolean().default(false),
  forced: z.boolean().default(false),
})

const inRepository = { installation, repository: z.object({ id }) }

/** An author is null once the account is gone, and then no comment of theirs is a command. */
export const CommentPayload = z.object({
  action: z.literal('created'),
  ...inRepository,
  issue: z.object({ number: z.number().int(), pull_request: z.object({}).optional() }),
  comment: z.object({
    id,
    body: z.string(),
    user: z.object({ login: z.string(), type: z.string() }).nullable(),
    created_at: z.iso.datetime({ offset: true }),
  }),
})

export const CheckRunPayload = z.object({
  action: z.literal('rerequested'),
  ...inRepository,
  check_run: z.object({ head_sha: z.string(), external_id: z.string().nullish() }),
  sender: Owner,
})

export const CheckSuitePayload = z.object({
  action: z.literal('rerequested'),
  ...inRepository,
  check_suite: z.object({ head_sha: z.string() }),
  sender: Owner,
})

/** The run names its file itself, but not in every payload. */
export const WorkflowRunPayload = z.object({
  action: z.enum(['requested', 'in_progress', 'completed']),
  ...inRepository,
  workflow_run: z.object({
    id,
    run_attempt: z.number().int().default(1),
    event: z.string(),
    path: z.string().optional(),
  }),
  workflow: z.object({ path: z.string() }).nullish(),
})

/** Of `create` and `delete`: the ref is spelled short. */
export const RefPayload = z.object({ ...inRepository, ref: z.string(), ref_type: z.string() })

export const ReleasePayload = z.object({
  action: z.enum(['published', 'edited', 'deleted']),
  ...inRepository,
  release: z.object({ tag_name: z.string() }),
})

export const AuthorizationPayload = z.object({
  action: z.literal('revoked'),
  sender: z.object({ id, login: z.string() }),
})

/** Of an enterprise's installation the account has no login; it holds no repositories. */
export const InstallationTargetPayload = z.object({
  action: z.literal('renamed'),
  installation: z.object({ id }),
  account: z.object({ id, login: z.string() }),
  changes: z.object({ login: z.object({ from: z.string() }) }),
})

export const PingPayload = z.object({ hook_id: id })
