import { z } from 'zod'
import { isMergedIntoDefault } from '#commands/merged-into-default.ts'
import { repoRefOf } from '#commands/repo-ref.ts'
import { runUrl } from '#commands/shapes.ts'
import { findPullRequest, type PullRequestRow } from '#db/pull-requests.ts'
import { findRepository, type Repository } from '#db/repositories.ts'
import { keysOfStacks } from '#db/stacks.ts'
import { type LockView, locksHeldByPullRequest } from '#db/views/lock-view.ts'
import {
  type HeldStack,
  orphanedComment,
  type PullRequestEnd,
  reminderComment,
  unlockedComment,
} from '#domain/lock-comments.ts'
import { commentOnce } from '../comment-once.ts'
import type { Handler, HandlerDeps } from '../handler.ts'

const Payload = z.discriminatedUnion('about', [
  z.object({
    about: z.literal('unlocked'),
    repo_id: z.number(),
    pr_number: z.number(),
    run_id: z.string(),
    actor: z.string(),
    reason: z.string().optional(),
    force_state: z.boolean(),
    stack_ids: z.array(z.string()),
  }),
  z.object({ about: z.literal('orphaned'), repo_id: z.number(), pr_number: z.number() }),
  z.object({
    about: z.literal('reminder'),
    repo_id: z.number(),
    pr_number: z.number().optional(),
    run_id: z.string().optional(),
  }),
])
type Payload = z.infer<typeof Payload>

/**
 * Tells a pull request what became of locks that it holds or held. What it still holds is read now: where that has changed
 * since the job was queued, there may be nothing left to say. A manual run has no pull request: the audit log has its
 * reminder, and the service's log.
 */
export const commentLock: Handler = async (deps, job) => {
  const payload = Payload.parse(job.payload)
  const repository = await findRepository(deps.pool, payload.repo_id)
  if (!repository || repository.removed || repository.suspended) return 'ignored'
  const number = payload.pr_number
  if (number === undefined) {
    deps.log.warn({ repo: repository.fullName, ...payload }, 'a manual run holds locks for long')
    return undefined
  }
  const body = await bodyOf(deps, repository, { ...payload, pr_number: number })
  if (body === undefined) return 'ignored'
  // the id of the job: each occasion has a comment of its own, and each job one
  const marker = `<!-- svc:job ${job.id} -->`
  await commentOnce(deps, { repo: repoRefOf(repository), number, marker }, body)
  return undefined
}

type OfPullRequest = Payload & { pr_number: number }

const bodyOf = async (
  deps: HandlerDeps,
  repository: Repository,
  payload: OfPullRequest,
): Promise<string | undefined> => {
  if (payload.about === 'unlocked') {
    const { actor, reason, force_state: forceState, run_id: id, stack_ids: ids } = payload
    const keys = await keysOfStacks(deps.pool, ids)
    return unlockedComment({ keys, actor, reason, forceState, run: runOf(deps, id) })
  }
  const held = await locksHeldByPullRequest(deps.pool, repository.id, payload.pr_number)
  if (payload.about === 'reminder') {
    return held.length === 0 ? undefined : reminderComment(stacksOf(deps, held), deps.clock.now())
  }
  const orphaned = held.filter((lock) => lock.state === 'held.orphaned')
  if (orphaned.length === 0) return undefined
  const pull = await findPullRequest(deps.pool, repository.id, payload.pr_number)
  return orphanedComment(stacksOf(deps, orphaned), pull ? endOf(repository, pull) : { kind: 'closed' })
}

const endOf = (repository: Repository, pull: PullRequestRow): PullRequestEnd => {
  if (pull.mergedAt === null) return { kind: 'closed' }
  return isMergedIntoDefault(repository, pull) ? { kind: 'merged' } : { kind: 'merged_elsewhere', branch: pull.baseRef }
}

const runOf = ({ baseUrl }: HandlerDeps, id: string) => ({ id, html_url: runUrl(baseUrl, { id }) })

const stacksOf = (deps: HandlerDeps, locks: readonly LockView[]): HeldStack[] =>
  locks.map((lock) => ({ key: lock.stack_key, takenAt: lock.taken_at, run: runOf(deps, lock.run_id) }))
