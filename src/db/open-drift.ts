import { z } from 'zod'
import { isChangedByHolder } from './changed-elsewhere.ts'
import { type Reader, sql } from './sql.ts'

/** The drift run of a repository that is under way: there is one at most. */
export const findOpenDrift = async (db: Reader, repoId: number): Promise<string | undefined> => {
  const row = await db.maybeOne(sql.type(z.object({ id: z.string() }))`
    select id from runs where repo_id = ${repoId} and mode = 'drift' and status in ('pending', 'planning')`)
  return row?.id
}

const ChangedStack = z
  .object({ key: z.string(), pr_number: z.number().nullable() })
  .transform(({ key, pr_number: number }) => (number === null ? { key } : { key, prNumber: number }))

/** Stacks of a repository that are not as its default branch says, since what holds their locks changed them, or is about to. */
export const stacksChangedByHolders = (
  db: Reader,
  repoId: number,
): Promise<readonly { key: string; prNumber?: number }[]> =>
  db.any(sql.type(ChangedStack)`
    select s.key, l.pr_number from locks l join stacks s on s.id = l.stack_id
    where l.repo_id = ${repoId} and ${isChangedByHolder} order by s.key`)

/** Whether a run bears a warning of this code. */
export const hasWarning = (db: Reader, runId: string, code: string): Promise<boolean> =>
  db.exists(sql.type(z.object({ id: z.string() }))`
    select id from runs where id = ${runId} and warnings @> ${JSON.stringify([{ code }])}::jsonb`)
