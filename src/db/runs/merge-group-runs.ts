import { z } from 'zod'
import { openPlanStatuses } from '#domain/run-status.ts'
import { type FragmentSqlToken, literals, type Reader, sql, type Tx } from '../sql.ts'
import { ofRepository } from '../tenant.ts'

const GroupRun = z.object({
  id: z.string(),
  sha: z.string(),
  status: z.string(),
  workflow_run_id: z.number().nullable(),
  workflow_run_attempt: z.number().nullable(),
})

/** A plan run of a merge group, with what a job needs to find its own. */
export type GroupRun = z.infer<typeof GroupRun>

const ofGroup = (db: Reader, repoId: number, branch: string): FragmentSqlToken => sql.fragment`
  installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId} and merge_group = ${branch}`

/** Locks the plan runs of a merge group, by the queue's branch. */
export const lockGroupRuns = (tx: Tx, repoId: number, branch: string): Promise<readonly GroupRun[]> =>
  tx.any(sql.type(GroupRun)`
    select id, sha, status, workflow_run_id, workflow_run_attempt from runs
    where ${ofGroup(tx, repoId, branch)} order by id for no key update`)

const IdRow = z.object({ id: z.string() })

/** The ids of the same runs, for who locks others with them. */
export const groupRunIds = async (db: Reader, repoId: number, branch: string): Promise<string[]> => {
  const rows = await db.any(sql.type(IdRow)`select id from runs where ${ofGroup(db, repoId, branch)}`)
  return rows.map(({ id }) => id)
}

/** Runs of merge groups that no job has registered for, made before a time, oldest first. */
export const unheardGroups = async (db: Reader, before: Date): Promise<readonly string[]> => {
  const rows = await db.any(sql.type(IdRow)`
    select id from runs
    where merge_group is not null and workflow_run_id is null and status in ${literals(openPlanStatuses)}
      and created_at < ${before.toISOString()}
    order by created_at, id`)
  return rows.map(({ id }) => id)
}
