import type { CommentFact } from '#codehost/fact.ts'
import { findCommand } from '#db/comment-commands.ts'
import { findRepository } from '#db/repositories.ts'
import { forbiddenAnswer, givenUpAnswer, unreadableAnswer } from '#domain/command-answers.ts'
import { parseComment, type Verb } from '#domain/comment-command.ts'
import { mayPush } from '#domain/gate/people.ts'
import { Problem } from '#errors.ts'
import { reasonOf } from './answer-jobs.ts'
import { applyByCommand } from './comment/apply-command.ts'
import { answerCommand, type TakenCommand } from './comment/command.ts'
import { helpByCommand } from './comment/help-command.ts'
import { planByCommand } from './comment/plan-command.ts'
import { takeCommand } from './comment/take-command.ts'
import { unlockByCommand } from './comment/unlock-command.ts'
import type { Deps } from './deps.ts'
import { refreshPullRequest } from './refresh-pull-request.ts'
import { repoRefOf } from './repo-ref.ts'

const verbs: Record<Verb, (deps: Deps, command: TakenCommand) => Promise<void>> = {
  plan: planByCommand,
  apply: applyByCommand,
  unlock: unlockByCommand,
  help: helpByCommand,
}

/**
 * Does what a new comment on a pull request asks for (spec, 'Comment commands'); false where it asks for nothing. Carried
 * out once, however often its delivery comes or its handler dies. What counts is when it was written, not when it is
 * handled: a queue that stood still, or a delivery that had to be asked for again, must not make ten commands of an hour
 * look like ten of a minute, nor a plan that was made meanwhile look like the one that the comment was about.
 */
export const handleComment = async (
  deps: Deps,
  fact: CommentFact,
  receivedAt: Date,
  cause: string | undefined,
): Promise<boolean> => {
  const asked = parseComment(fact.body)
  if (asked.kind === 'ignore') return false
  const repository = await findRepository(deps.pool, fact.repoId)
  if (!repository || repository.removed || repository.suspended) return false
  const known = await findCommand(deps.pool, fact)
  if (known && known.outcome !== null) return true
  const { number: prNumber, commentId, author } = fact
  // its row is there from here on, whatever order the deliveries come in
  if (!(await refreshPullRequest(deps, repository.id, prNumber, cause))) return false
  const permission = await deps.codehost.permissionOf(repoRefOf(repository), author)
  const at = spokenAt(fact, receivedAt)
  const words = asked.kind === 'command' ? asked.keys : []
  const command = { repository, prNumber, commentId, author, verb: asked.verb, words, at, cause }
  if (!(await takeCommand(deps, command, mayPush(permission)))) return true
  if (asked.kind === 'command') await carryOut(deps, command)
  else await answerCommand(deps, command, { outcome: 'refused', body: unreadableAnswer(asked.verb, asked.message) })
  return true
}

/** The code host tells the second in which it was written; the delivery is mostly here within it, and told by our own clock. */
const spokenAt = ({ writtenAt }: CommentFact, receivedAt: Date): Date =>
  new Date(Math.min(Date.parse(writtenAt) + 1000, +receivedAt))

/** What the app may not do today it may not do in two hours either: that is an answer, where a host that is down is none. */
const carryOut = async (deps: Deps, command: TakenCommand): Promise<void> => {
  try {
    await verbs[command.verb](deps, command)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'forbidden') throw error
    deps.log.warn({ err: error, repo: command.repository.fullName, pr: command.prNumber }, 'a command was forbidden')
    const body = forbiddenAnswer(command.verb, error.message)
    await answerCommand(deps, command, { outcome: 'refused', body })
  }
}

/**
 * Answers a command that failed each time it was tried: whoever wrote it saw that it was read. It is not carried out any more,
 * should somebody have the delivery tried again: it may have been written anew by then.
 */
export const answerGivenUp = async (
  deps: Deps,
  fact: CommentFact,
  { error, cause }: { error: unknown; cause: string | undefined },
): Promise<void> => {
  const asked = parseComment(fact.body)
  const repository = await findRepository(deps.pool, fact.repoId)
  const known = await findCommand(deps.pool, fact)
  if (asked.kind === 'ignore' || !repository || known?.outcome !== null) return
  const body = givenUpAnswer(asked.verb, reasonOf(error))
  const { number: prNumber, commentId } = fact
  const command = {
    repository,
    prNumber,
    commentId,
    author: fact.author,
    verb: asked.verb,
    words: [],
    at: deps.clock.now(),
  }
  await answerCommand(deps, { ...command, cause }, { outcome: 'refused', body })
}
