import type { Deps } from '#commands/deps.ts'
import { addJobs } from '#db/queue/jobs.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import { type CommandOutcome, lockCommand, setCommandOutcome } from '#db/runs/comment-commands.ts'
import type { Tx } from '#db/sql.ts'
import { afterCommit, transact } from '#db/transact.ts'
import type { Verb } from '#domain/comments/comment-command.ts'
import { makeJob } from '#jobs/job.ts'

/** A command that is being carried out. */
export type TakenCommand = {
  repository: Repository
  prNumber: number
  commentId: number
  author: string
  /** The number of the author's account. */
  authorId: number
  verb: Verb
  /** Keys and globs as written; none means all. */
  words: readonly string[]
  /** When its comment came. */
  at: Date
  cause: string | undefined
}

/** How a command ends: its outcome, and the comment that answers it. A rocket shows that a run has begun. */
export type Ending = { outcome: CommandOutcome; body?: string; rocket?: boolean }

/** Whether the command is still open; it stays so until the end of the transaction. */
export const isOpenCommand = async (tx: Tx, { repository, commentId }: TakenCommand): Promise<boolean> =>
  (await lockCommand(tx, { repoId: repository.id, commentId }))?.outcome === null

/** Ends an open command in the transaction that does what it asked for, so it is done once. */
export const endCommand = async (
  deps: Pick<Deps, 'metrics' | 'runtime'>,
  tx: Tx,
  command: TakenCommand,
  { outcome, body, rocket }: Ending,
): Promise<void> => {
  const { repository, prNumber: pr_number, commentId: comment_id, cause } = command
  const { id: repo_id, installation_id: installationId } = repository
  await setCommandOutcome(tx, { repoId: repo_id, commentId: comment_id }, outcome)
  const reaction = rocket ? [{ repo_id, comment_id, reaction: 'rocket' as const }] : []
  const answer = body === undefined ? [] : [{ repo_id, pr_number, name: `comment ${comment_id}`, body }]
  await addJobs(tx, [
    ...reaction.map((each) => makeJob('add_reaction', each, { installationId, cause })),
    ...answer.map((each) => makeJob('post_comment', each, { installationId, cause })),
  ])
  afterCommit(tx, () => {
    deps.metrics.commandTaken(command.verb, outcome === 'accepted')
    deps.runtime.wake()
  })
}

/** Ends a command with only an answer. */
export const answerCommand = (
  deps: Pick<Deps, 'pool' | 'metrics' | 'runtime'>,
  command: TakenCommand,
  ending: Ending,
): Promise<void> =>
  transact(deps.pool, async (tx) => {
    if (await isOpenCommand(tx, command)) await endCommand(deps, tx, command, ending)
  })
