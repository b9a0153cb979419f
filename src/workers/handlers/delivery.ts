import type { Fact } from '#codehost/fact.ts'
import { followPush } from '#commands/follow-push.ts'
import { followRerequest } from '#commands/follow-rerequest.ts'
import { answerGivenUp, handleComment } from '#commands/handle-comment.ts'
import { endSessions } from '#commands/people/end-sessions.ts'
import { followTag } from '#commands/read-tags.ts'
import { refreshPullRequest } from '#commands/refresh-pull-request.ts'
import { settleWorkflowRun } from '#commands/settle-workflow-run.ts'
import type { JobRow } from '#db/jobs.ts'
import { isGivenUp } from '../given-up.ts'
import type { Handler, HandlerDeps } from '../handler.ts'
import { requestSync } from '../request-sync.ts'

/**
 * Does what follows from a webhook delivery. A delivery is news that something changed, not the truth about it: what it
 * names is read anew from the code host, so that late, doubled and disordered deliveries come to the same.
 */
export const handleDelivery: Handler = async (deps, job) => {
  const fact = deps.readDelivery(job.kind, job.payload)
  return follow(deps, job, fact).catch(async (error) => {
    if (fact.kind === 'comment' && isGivenUp(deps, job, error))
      await answerGivenUp(deps, fact, { error, cause: job.cause ?? undefined })
    throw error
  })
}

const follow = async (deps: HandlerDeps, job: JobRow, fact: Fact): Promise<undefined | 'ignored'> => {
  switch (fact.kind) {
    case 'pull_request': {
      const told = fact.merged ? fact.mergeCommitSha : null
      const isThere = await refreshPullRequest(deps, fact.repoId, fact.number, job.cause, told)
      return isThere ? undefined : 'ignored'
    }
    case 'push':
      return (await followPush(deps, fact)) ? undefined : 'ignored'
    case 'installation':
    case 'installation_repositories':
    case 'repository':
      await requestSync(deps.pool, job.cause)
      return undefined
    case 'comment':
      return (await handleComment(deps, fact, job.created_at, job.cause ?? undefined)) ? undefined : 'ignored'
    case 'rerequest':
      return (await followRerequest(deps, fact, job.cause)) ? undefined : 'ignored'
    case 'workflow_run':
      return (await settleWorkflowRun(deps, fact, job.cause)) ? undefined : 'ignored'
    case 'revoked':
      return (await endSessions(deps, fact)) ? undefined : 'ignored'
    case 'tag':
      return (await followTag(deps, fact.repoId, job.cause)) ? undefined : 'ignored'
    case 'ping':
    case 'ignored':
      return 'ignored'
  }
}
