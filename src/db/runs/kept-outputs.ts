import { z } from 'zod'
import { openStatuses } from '#domain/run-status.ts'
import { betweenRuns } from '../machines/between-runs.ts'
import { runStackPath } from '../machines/run-stack-path.ts'
import { lockRuns } from '../machines/runs.ts'
import { literals, nothing, type Reader, sql, type Tx } from '../sql.ts'
import { ofRepository, ofRuns } from '../tenant.ts'

const IdRow = z.object({ id: z.string() })
const PathRow = z.object({ path: z.string() })

const openRuns = async (db: Reader, repoId: number): Promise<string[]> => {
  const rows = await db.any(sql.type(IdRow)`
    select id from runs
    where installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId} and status in ${literals(openStatuses)}`)
  return rows.map(({ id }) => id)
}

/** Directories of stacks of a repository's open runs whose text is kept. */
export const openPathsWithText = async (db: Reader, repoId: number): Promise<readonly string[]> => {
  const ids = await openRuns(db, repoId)
  if (ids.length === 0) return []
  const rows = await db.any(sql.type(PathRow)`
    select distinct ${runStackPath(sql.fragment`s`)} from run_stacks s
    where s.installation_id ${ofRuns(db, ids)} and s.run_id = any(${sql.array(ids, 'uuid')})
      and ${betweenRuns(sql.fragment`s.run_id`, ids)} and s.plan_output = 'full'`)
  return rows.map(({ path }) => path)
}

/** Keeps stacks of these directories to `summary` in a repository's open runs: what their jobs report from now on. */
export const keepOpenRunsToSummary = async (tx: Tx, repoId: number, paths: readonly string[]): Promise<void> => {
  const ids = await openRuns(tx, repoId)
  if (ids.length === 0) return
  // a run's lock guards its rows
  await lockRuns(tx, ids)
  await tx.query(sql.type(nothing)`
    with raised as (
      update runs r set rev = r.rev + 1
      where r.installation_id ${ofRuns(tx, ids)} and r.id = any(${sql.array(ids, 'uuid')}) returning r.id, r.rev)
    update run_stacks s set plan_output = 'summary', rev = raised.rev
    from raised
    where s.installation_id ${ofRuns(tx, ids)} and s.run_id = raised.id and s.run_id = any(${sql.array(ids, 'uuid')})
      and ${betweenRuns(sql.fragment`s.run_id`, ids)} and s.plan_output = 'full'
      and coalesce(s.path, s.key) = any(${sql.array([...paths], 'text')})`)
}
