import { addReactionJob } from '#commands/answer-jobs.ts'
import type { Deps } from '#commands/deps.ts'
import { addAudit } from '#db/audit.ts'
import { addCommand, commandsNear, lockCommand } from '#db/comment-commands.ts'
import { addJobs } from '#db/jobs.ts'
import { lockPullRequest } from '#db/pull-requests.ts'
import type { Tx } from '#db/sql.ts'
import { afterCommit, transact } from '#db/transact.ts'
import { rateLimitedAnswer } from '#domain/command-answers.ts'
import { limits } from '#domain/limits.ts'
import { endCommand, type TakenCommand } from './command.ts'

/**
 * Notes a command and decides whether it is carried out: true when it is, or when that was decided before and it has not
 * ended. A comment by somebody who may not push is not answered: on a public repository anybody could have answers posted.
 */
export const takeCommand = (deps: Deps, command: TakenCommand, mayPush: boolean): Promise<boolean> =>
  transact(deps.pool, async (tx) => {
    const { repository, prNumber, commentId, verb, author, at, cause } = command
    const id = { repoId: repository.id, commentId }
    // one command of a pull request at a time, or two would not count each other
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
    await addJobs(tx, [addReactionJob(repository, { commentId, reaction: 'eyes' }, cause)])
    afterCommit(tx, () => deps.runtime.wake())
    return true
  })

type Action = 'command' | 'command_ignored' | 'command_rate_limited'

const audit = (deps: Deps, tx: Tx, command: TakenCommand, action: Action): Promise<void> => {
  const { repository, prNumber, commentId, verb, words, author } = command
  const target = repository.fullName
  const details = { repo: target, pr: prNumber, verb, keys: words.map(storable), comment_id: commentId }
  return addAudit(tx, [{ at: deps.clock.now(), actor: author, action, target, details }])
}

/** A comment may hold what a jsonb may not. */
const storable = (word: string): string => word.replaceAll('\0', '').toWellFormed().slice(0, limits.keyChars)
