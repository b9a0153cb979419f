import type { Deps } from '#commands/deps.ts'
import { addAudit } from '#db/people/audit.ts'
import { addJobs } from '#db/queue/jobs.ts'
import { lockPullRequest } from '#db/repositories/pull-requests.ts'
import { addCommand, commandsNear, lockCommand } from '#db/runs/comment-commands.ts'
import type { Tx } from '#db/sql.ts'
import { afterCommit, transact } from '#db/transact.ts'
import { rateLimitedAnswer } from '#domain/comments/command-answers.ts'
import { limits } from '#domain/limits.ts'
import { makeJob } from '#jobs/job.ts'
import { endCommand, type TakenCommand } from './command.ts'

/**
 * Records a command and decides whether it is carried out: true if it is, or if that was decided before and it has not ended.
 * A comment by someone without push permission gets no answer: on a public repository anyone could have answers posted.
 */
export const takeCommand = (deps: Deps, command: TakenCommand, mayPush: boolean): Promise<boolean> =>
  transact(deps.pool, async (tx) => {
    const { repository, prNumber, commentId, verb, author, at, cause } = command
    const id = { repoId: repository.id, commentId }
    // one command per pull request at a time, or two would not count each other
    await lockPullRequest(tx, repository.id, prNumber)
    const isNew = await addCommand(tx, { ...id, prNumber, verb, actor: author, at })
    if (!isNew && (await lockCommand(tx, id))?.outcome !== null) return false
    if (!mayPush) {
      await audit(deps, tx, command, 'command_ignored')
      await endCommand(deps, tx, command, { outcome: 'ignored' })
      return false
    }
    if (!isNew) return true
    const { taken, limited } = await commandsNear(tx, { ...id, prNumber, at })
    if (taken >= limits.commandsPerMinute) {
      await audit(deps, tx, command, 'command_rate_limited')
      const answer = limited === 0 ? { body: rateLimitedAnswer(limits.commandsPerMinute) } : {}
      await endCommand(deps, tx, command, { outcome: 'rate_limited', ...answer })
      return false
    }
    await audit(deps, tx, command, 'command')
    const { installation_id: installationId } = repository
    const eyes = { repo_id: repository.id, comment_id: commentId, reaction: 'eyes' as const }
    await addJobs(tx, [makeJob('add_reaction', eyes, { installationId, cause })])
    afterCommit(tx, () => deps.runtime.wake())
    return true
  })

type Action = 'command' | 'command_ignored' | 'command_rate_limited'

const audit = (deps: Deps, tx: Tx, command: TakenCommand, action: Action): Promise<void> => {
  const { repository, prNumber, commentId, verb, words, author, authorId } = command
  const target = repository.full_name
  const details = { repo: target, pr: prNumber, verb, keys: words.map(storable), comment_id: commentId }
  return addAudit(tx, [{ at: deps.clock.now(), actor: author, actor_id: authorId, action, target, details }])
}

/** A comment may hold characters that a jsonb may not. */
const storable = (word: string): string => word.replaceAll('\0', '').toWellFormed().slice(0, limits.keyChars)
