import type { CommentFact } from '#codehost/fact.ts'
import { whyNot } from '#commands/callers/permit-teams.ts'
import { refreshPullRequest } from '#commands/host-news/refresh-pull-request.ts'
import { findCommand as knownCommand } from '#db/runs/comment-commands.ts'
import { forbiddenAnswer, givenUpAnswer, notAllowedAnswer, unreadableAnswer } from '#domain/comments/command-answers.ts'
import { findCommand, readCommand, type Verb } from '#domain/comments/comment-command.ts'
import { mayPush } from '#domain/gate/people.ts'
import { Problem, reasonOf } from '#errors.ts'
import type { Deps } from '../deps.ts'
import { applyByCommand } from './apply-command.ts'
import { answerCommand, type TakenCommand } from './command.ts'
import { helpByCommand } from './help-command.ts'
import { planByCommand } from './plan-command.ts'
import { takeCommand } from './take-command.ts'
import { unlockByCommand } from './unlock-command.ts'

const verbs: Record<Verb, (deps: Deps, command: TakenCommand) => Promise<void>> = {
  plan: planByCommand,
  apply: applyByCommand,
  unlock: unlockByCommand,
  help: helpByCommand,
}

/**
 * Does what a new comment on a pull request asks for (docs/commands.md); false if it asks for nothing. Done once, however
 * often its delivery comes or its handler dies. The time that counts is when the comment was written, not when it is handled:
 * a stalled queue, or a delivery that had to be asked for again, must not make ten commands of an hour look like ten of a
 * minute, nor a plan made meanwhile look like the one that the comment was about.
 */
export const handleComment = async (
  deps: Deps,
  fact: CommentFact,
  receivedAt: Date,
  cause: string | undefined,
): Promise<boolean> => {
  const found = findCommand(fact.body)
  if (found === undefined) return false
  const repository = await deps.findRepository(fact.repoId)
  if (!repository || repository.removed || repository.suspended) return false
  const known = await knownCommand(deps.pool, fact)
  if (known && known.outcome !== null) return true
  const { number: prNumber, commentId, author, authorId } = fact
  // its row exists from here on, whatever order the deliveries come in
  if (!(await refreshPullRequest(deps, repository.id, prNumber, cause))) return false
  const permission = await deps.codehost.permissionOf(repository, author, authorId)
  const at = spokenAt(fact, receivedAt)
  const asked = readCommand(found)
  const words = asked.kind === 'command' ? asked.keys : []
  const command = { repository, prNumber, commentId, author, authorId, verb: asked.verb, words, at, cause }
  if (!(await takeCommand(deps, command, mayPush(permission)))) return true
  if (asked.kind === 'command') await carryOut(deps, command)
  else await answerCommand(deps, command, { outcome: 'refused', body: unreadableAnswer(asked.verb, asked.message) })
  return true
}

/**
 * The code host gives the second in which the comment was written; the delivery mostly arrives within it, timed by our own
 * clock.
 */
const spokenAt = ({ writtenAt }: CommentFact, receivedAt: Date): Date =>
  new Date(Math.min(Date.parse(writtenAt) + 1000, +receivedAt))

/**
 * A permission that the app lacks today it will lack in two hours too: that is an answer, whereas a host that is down gives
 * none.
 */
const carryOut = async (deps: Deps, command: TakenCommand): Promise<void> => {
  try {
    const why = await whyNotAllowed(deps, command)
    if (why !== undefined) {
      const body = notAllowedAnswer(command.verb, why)
      return await answerCommand(deps, command, { outcome: 'refused', body })
    }
    await verbs[command.verb](deps, command)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'forbidden') throw error
    deps.log.warn({ err: error, repo: command.repository.full_name, pr: command.prNumber }, 'a command was forbidden')
    const body = forbiddenAnswer(command.verb, error.message)
    await answerCommand(deps, command, { outcome: 'refused', body })
  }
}

/** The gate asks about the teams of an apply, and tells them with all else that is in the way. */
const whyNotAllowed = async (
  deps: Deps,
  { verb, author, authorId, repository }: TakenCommand,
): Promise<string | undefined> =>
  verb === 'plan' || verb === 'unlock'
    ? whyNot(deps, verb, { login: author, account: authorId }, repository)
    : undefined

/**
 * Answers a command that failed each time it was tried: its author saw that it was read. It is not carried out later, even if
 * its delivery is tried again: the author may have written it again by then.
 */
export const answerGivenUp = async (
  deps: Deps,
  fact: CommentFact,
  { error, cause }: { error: unknown; cause: string | undefined },
): Promise<void> => {
  const asked = findCommand(fact.body)
  const repository = await deps.findRepository(fact.repoId)
  const known = await knownCommand(deps.pool, fact)
  if (asked === undefined || !repository || known?.outcome !== null) return
  const body = givenUpAnswer(asked.verb, reasonOf(error))
  const { number: prNumber, commentId } = fact
  const command = {
    repository,
    prNumber,
    commentId,
    author: fact.author,
    authorId: fact.authorId,
    verb: asked.verb,
    words: [],
    at: deps.clock.now(),
  }
  await answerCommand(deps, { ...command, cause }, { outcome: 'refused', body })
}
