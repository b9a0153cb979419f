import { isMergedIntoDefault } from '#commands/host-news/merged-into-default.ts'
import { runUrl } from '#commands/shapes/shape-run.ts'
import { findPullRequest, type PullRequestRow } from '#db/repositories/pull-requests.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import { keysOfStacks } from '#db/repositories/stacks.ts'
import { type LockView, locksHeldByPullRequest } from '#db/views/lock-view.ts'
import {
  type HeldStack,
  orphanedComment,
  type PullRequestEnd,
  reminderComment,
  unlockedComment,
} from '#domain/comments/lock-comments.ts'
import type { Payload } from '#jobs/job.ts'
import { commentOnce } from '#workers/publish/comment-once.ts'
import type { HandlerDeps, JobHandler } from '../handler.ts'

type About = Payload<'comment_lock'>

/**
 * Comments on a pull request about locks that it holds or held. What it still holds is read now: if that has changed since the
 * job was queued, there may be nothing left to say. A manual run has no pull request: its reminder goes to the audit log and
 * the service's log.
 */
export const commentLock: JobHandler<'comment_lock'> = async (deps, payload, job) => {
  const repository = await deps.findRepository(payload.repo_id)
  if (!repository || repository.removed || repository.suspended) return false
  const number = payload.pr_number
  if (number === undefined) {
    deps.log.warn({ repo: repository.full_name, ...payload }, 'a manual run has held locks for long')
    return true
  }
  const body = await bodyOf(deps, repository, { ...payload, pr_number: number })
  if (body === undefined) return false
  // the id of the job: each occasion gets its own comment, and each job only one
  const marker = `<!-- svc:job ${job.id} -->`
  await commentOnce(deps, { repo: repository, number, marker, job }, body)
  return true
}

type OfPullRequest = About & { pr_number: number }

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
  if (pull.merged_at === null) return { kind: 'closed' }
  return isMergedIntoDefault(repository, pull)
    ? { kind: 'merged' }
    : { kind: 'merged_elsewhere', branch: pull.base_ref }
}

const runOf = ({ baseUrl }: HandlerDeps, id: string) => ({ id, html_url: runUrl(baseUrl, { id }) })

const stacksOf = (deps: HandlerDeps, locks: readonly LockView[]): HeldStack[] =>
  locks.map((lock) => ({ key: lock.stack_key, takenAt: lock.taken_at, run: runOf(deps, lock.run_id) }))
