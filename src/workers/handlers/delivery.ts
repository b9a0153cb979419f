import { z } from 'zod'
import type { Fact, IgnoredFact } from '#codehost/fact.ts'
import { followTag } from '#commands/across/read-tags.ts'
import { answerGivenUp, handleComment } from '#commands/comments/handle-comment.ts'
import { settleWorkflowRun } from '#commands/dispatches/settle-workflow-run.ts'
import { endSessions } from '#commands/host-news/end-sessions.ts'
import { followPush } from '#commands/host-news/follow-push.ts'
import { followRerequest } from '#commands/host-news/follow-rerequest.ts'
import { refreshPullRequest } from '#commands/host-news/refresh-pull-request.ts'
import { followMergeGroup } from '#commands/merge-queue/follow-merge-group.ts'
import type { JobRow } from '#db/queue/jobs.ts'
import type { Handler, HandlerDeps } from '../handler.ts'
import { isGivenUp } from './given-up.ts'
import { requestSync } from './request-sync.ts'

/**
 * Acts on a webhook delivery. A delivery is news that something changed, not the truth about it. What it names is read again
 * from the code host: late, repeated and reordered deliveries lead to the same state.
 */
export const handleDelivery: Handler = async (deps, job) => {
  const fact = deps.readDelivery(job.kind, job.payload)
  if (fact.kind === 'ignored') {
    // a delivery without the fields it should have shows that the code host is not as we know it
    noteIgnored(deps, job, fact.reason, fact.isUnreadable ? 'warn' : 'debug')
    return 'ignored'
  }
  const reason = await follow(deps, job, fact).catch(async (error) => {
    if (fact.kind === 'comment' && isGivenUp(deps, job, error))
      await answerGivenUp(deps, fact, { error, cause: job.cause ?? undefined })
    throw error
  })
  if (reason === undefined) return undefined
  noteIgnored(deps, job, reason, 'debug')
  return 'ignored'
}

/** Acts on a fact; returns the reason if nothing follows. */
const follow = async (
  deps: HandlerDeps,
  job: JobRow,
  fact: Exclude<Fact, IgnoredFact>,
): Promise<string | undefined> => {
  const { cause } = job
  switch (fact.kind) {
    case 'pull_request': {
      const refreshed = refreshPullRequest(deps, fact.repoId, fact.number, cause, fact.mergeCommitSha)
      return unless(refreshed, 'its repository takes no part, or the pull request is not there')
    }
    case 'push':
      return unless(followPush(deps, fact), 'it changes nothing on the default branch of a repository that takes part')
    case 'installations':
      await requestSync(deps.pool, cause, fact.installationId)
      return undefined
    case 'comment': {
      const handled = handleComment(deps, fact, job.created_at, cause ?? undefined)
      return unless(handled, 'no command, or its repository takes no part, or the pull request is not there')
    }
    case 'rerequest':
      return unless(followRerequest(deps, fact, cause), 'not of a plan of ours, or of one that may not be run again')
    case 'workflow_run':
      return unless(settleWorkflowRun(deps, fact, cause), 'neither a dispatch of ours nor a run that a plan waits for')
    case 'revoked':
      return unless(endSessions(deps, fact), 'the person is not signed in')
    case 'merge_group': {
      const reason = 'its repository takes no part, its pull request was never planned, or nothing of it is open'
      return unless(followMergeGroup(deps, fact, cause), reason)
    }
    case 'tag':
      return unless(followTag(deps, fact.repoId, cause), 'no modules of its repository are known')
  }
}

const unless = async (followed: Promise<boolean>, reason: string): Promise<string | undefined> =>
  (await followed) ? undefined : reason

const WithAction = z.object({ action: z.string() })

/** Most deliveries are ignored, as intended: some ten for each push. The id is the one in the code host's list. */
const noteIgnored = (
  { log }: Pick<HandlerDeps, 'log'>,
  { kind: event, delivery_id: delivery, payload }: JobRow,
  reason: string,
  level: 'warn' | 'debug',
): void => {
  const { data } = WithAction.safeParse(payload)
  log[level]({ delivery, event, ...data, reason }, 'a delivery is ignored')
}
