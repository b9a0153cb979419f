import { z } from 'zod'
import { openPlanStatuses } from '#domain/run-status.ts'
import { literals, type Reader, sql } from '../sql.ts'
import { ofRepository, within } from '../tenant.ts'
import { isChangedByHolder } from './changed-elsewhere.ts'

const IdRow = z.object({ id: z.string() })

/** The drift run of a repository that is under way: there is at most one. */
export const findOpenDrift = async (db: Reader, repoId: number): Promise<string | undefined> => {
  const row = await db.maybeOne(sql.type(IdRow)`
    select id from runs where installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId} and mode = 'drift'
      and status in ${literals(openPlanStatuses)}`)
  return row?.id
}

const ChangedStack = z.object({ key: z.string(), pr_number: z.number().nullable() })

/** Stacks of a repository that differ from its default branch, since the holder of their lock changed them, or is about to. */
export const stacksChangedByHolders = (db: Reader, repoId: number): Promise<readonly z.infer<typeof ChangedStack>[]> =>
  db.any(sql.type(ChangedStack)`
    select s.key, l.pr_number from locks l join stacks s on s.installation_id = l.installation_id and s.id = l.stack_id
    where l.installation_id = ${ofRepository(db, repoId)} and l.repo_id = ${repoId} and ${isChangedByHolder} order by s.key`)

/** Whether a run has a warning with this code. */
export const hasWarning = (db: Reader, runId: string, code: string): Promise<boolean> =>
  db.exists(sql.type(IdRow)`
    select id from runs where ${within(db, sql.fragment`runs`)} and id = ${runId} and warnings @> ${JSON.stringify([{ code }])}::jsonb`)
