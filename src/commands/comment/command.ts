import { addReactionJob, postCommentJob } from '#commands/answer-jobs.ts'
import type { Deps } from '#commands/deps.ts'
import { type CommandOutcome, lockCommand, setCommandOutcome } from '#db/comment-commands.ts'
import { addJobs } from '#db/jobs.ts'
import type { Repository } from '#db/repositories.ts'
import type { Tx } from '#db/sql.ts'
import { afterCommit, transact } from '#db/transact.ts'
import type { Verb } from '#domain/comment-command.ts'

/** A command that is being carried out. */
export type TakenCommand = {
  repository: Repository
  prNumber: number
  commentId: number
  author: string
  verb: Verb
  /** Keys and globs as written; none stands for all. */
  words: readonly string[]
  /** When its comment came. */
  at: Date
  cause: string | undefined
}

/** How a command ends: what it came to, and the comment that answers it. A rocket says that a run has begun. */
export type Ending = { outcome: CommandOutcome; body?: string; rocket?: boolean }

/** Whether nobody has ended the command yet; keeps it so to the end of the transaction. */
export const isOpen = async (tx: Tx, { repository, commentId }: TakenCommand): Promise<boolean> =>
  (await lockCommand(tx, { repoId: repository.id, commentId }))?.outcome === null

/** Ends a command that is open, in the transaction that does what it asked for: so it is done once. */
export const endCommand = async (
  deps: Pick<Deps, 'metrics' | 'runtime'>,
  tx: Tx,
  command: TakenCommand,
  { outcome, body, rocket }: Ending,
): Promise<void> => {
  const { repository, prNumber, commentId, cause } = command
  await setCommandOutcome(tx, { repoId: repository.id, commentId }, outcome)
  const answer = body === undefined ? [] : [{ prNumber, name: `comment ${commentId}`, body }]
  await addJobs(tx, [
    ...(rocket ? [addReactionJob(repository, { commentId, reaction: 'rocket' }, cause)] : []),
    ...answer.map((each) => postCommentJob(repository, each, cause)),
  ])
  afterCommit(tx, () => {
    deps.metrics.commandTaken(command.verb, outcome === 'accepted')
    deps.runtime.wake()
  })
}

/** Ends a command with nothing but an answer. */
export const answerCommand = (
  deps: Pick<Deps, 'pool' | 'metrics' | 'runtime'>,
  command: TakenCommand,
  ending: Ending,
): Promise<void> =>
  transact(deps.pool, async (tx) => {
    if (await isOpen(tx, command)) await endCommand(deps, tx, command, ending)
  })
