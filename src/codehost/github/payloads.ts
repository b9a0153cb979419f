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
  action: z.enum(['created', 'renamed', 'transferred', 'edited', 'archived', 'unarchived', 'deleted']),
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

export const PingPayload = z.object({ hook_id: id })
