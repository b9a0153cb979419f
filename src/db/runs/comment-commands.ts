import { z } from 'zod'
import { nothing, type Reader, sql, type Tx } from '../sql.ts'
import { ofRepository } from '../tenant.ts'

const Outcome = z.enum(['accepted', 'refused', 'ignored', 'rate_limited'])
export type CommandOutcome = z.infer<typeof Outcome>

const CommandRow = z.object({ outcome: Outcome.nullable() })

/** A comment that asked for something. `outcome` is null until it is carried out, refused or ignored. */
export type CommandRow = z.infer<typeof CommandRow>

type CommandId = { repoId: number; commentId: number }

/** Notes a command; false if its comment was noted before: the delivery came twice, or a handler died on it. */
export const addCommand = async (
  tx: Tx,
  command: CommandId & { prNumber: number; verb: string; actor: string; at: Date },
): Promise<boolean> => {
  const { rowCount } = await tx.query(sql.type(nothing)`
    insert into comment_commands (installation_id, repo_id, comment_id, pr_number, verb, actor, at)
    values (${ofRepository(tx, command.repoId)}, ${command.repoId}, ${command.commentId}, ${command.prNumber}, ${command.verb}, ${command.actor},
      ${command.at.toISOString()})
    on conflict (installation_id, repo_id, comment_id) do nothing`)
  return rowCount === 1
}

export const findCommand = async (db: Reader, { repoId, commentId }: CommandId): Promise<CommandRow | undefined> =>
  (await db.maybeOne(sql.type(CommandRow)`
    select outcome from comment_commands
    where installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId} and comment_id = ${commentId}`)) ??
  undefined

/** The same, locked to the end of the transaction: a handler checks it here before it ends the command. */
export const lockCommand = async (tx: Tx, { repoId, commentId }: CommandId): Promise<CommandRow | undefined> =>
  (await tx.maybeOne(sql.type(CommandRow)`
    select outcome from comment_commands
    where installation_id = ${ofRepository(tx, repoId)} and repo_id = ${repoId} and comment_id = ${commentId} for update`)) ??
  undefined

export const setCommandOutcome = async (
  tx: Tx,
  { repoId, commentId }: CommandId,
  outcome: CommandOutcome,
): Promise<void> => {
  await tx.query(sql.type(nothing)`
    update comment_commands set outcome = ${outcome}
    where installation_id = ${ofRepository(tx, repoId)} and repo_id = ${repoId} and comment_id = ${commentId}`)
}

const TakenLimitedRow = z.object({ taken: z.number(), limited: z.number() })

/**
 * Other commands on a pull request within a minute of this one: those carried out or in progress, and those over the limit.
 * The minute after counts too, since two workers may take them in another order than they came. Ignored commands do not count:
 * a person without push permission must not be able to use up the limit.
 */
export const commandsNear = async (
  tx: Tx,
  { repoId, commentId, prNumber, at }: CommandId & { prNumber: number; at: Date },
): Promise<{ taken: number; limited: number }> => {
  const time = at.toISOString()
  return tx.one(sql.type(TakenLimitedRow)`
    select count(*) filter (where outcome is null or outcome in ('accepted', 'refused')) as taken,
      count(*) filter (where outcome = 'rate_limited') as limited
    from comment_commands
    where installation_id = ${ofRepository(tx, repoId)} and repo_id = ${repoId} and pr_number = ${prNumber} and comment_id <> ${commentId}
      and at > ${time}::timestamptz - interval '1 minute' and at < ${time}::timestamptz + interval '1 minute'`)
}
