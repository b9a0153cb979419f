import { z } from 'zod'
import { betweenRuns } from '../machines/between-runs.ts'
import { jsonRows, nothing, type Reader, sql, type Tx } from '../sql.ts'
import { ofRun, ofRuns } from '../tenant.ts'
import { historyTableNames, partitionOf } from './history-tables.ts'
import { isOfMonth } from './partitions.ts'
import type { RowCounts } from './rows-of-run.ts'

const counts = z.object({
  run_stacks: z.number(),
  results: z.number(),
  journal: z.number(),
  checks: z.number(),
  check_runs: z.number(),
})

const ArchivedRun = z.object({
  run_id: z.string(),
  rev: z.number(),
  url: z.string(),
  start: z.number(),
  bytes: z.number(),
  hash: z.string(),
  rows: counts,
})

/** Where the rows of a run are: `bytes` bytes of an object from `start` on, which are a text of lines compressed by itself. */
export type ArchivedRun = z.infer<typeof ArchivedRun>

const columns = sql.fragment`a.run_id, a.rev, a.url, a.start, a.bytes, a.hash, a.rows`

/** Of a run whose rows are gone from the tables; undefined while they are still there. */
export const findArchived = async (db: Reader, runId: string): Promise<ArchivedRun | undefined> =>
  (await db.maybeOne(sql.type(ArchivedRun)`
    select ${columns} from archived_runs a
    where a.installation_id = ${ofRun(db, runId)} and a.run_id = ${runId} and a.dropped`)) ?? undefined

/** The archived runs of a month after one of them, in the order of ids. */
export const archivedRuns = (
  db: Reader,
  { month, after, limit }: { month: string; after: string; limit: number },
): Promise<readonly ArchivedRun[]> =>
  db.any(sql.type(ArchivedRun)`
    select ${columns} from archived_runs a where ${isOfMonth(month)} and run_id > ${after} order by run_id limit ${limit}`)

const RunToArchive = z.object({ id: z.string(), rev: z.number() })

/** The next runs of a month that are not in the bucket as they are now. */
export const runsToArchive = (
  db: Reader,
  { month, after, limit }: { month: string; after: string; limit: number },
): Promise<readonly z.infer<typeof RunToArchive>[]> =>
  db.any(sql.type(RunToArchive)`
    select r.id, r.rev from runs r
    where ${isOfMonth(month, sql.fragment`r.id`)} and r.id > ${after}
      and not exists (
        select from archived_runs a where a.installation_id = r.installation_id and a.run_id = r.id and (a.rev = r.rev or a.dropped))
    order by r.id limit ${limit}`)

/**
 * Notes runs that are in the bucket, and what lists of stacks say of them. One that has changed since it was read is left out: it is
 * found again.
 */
export const noteArchived = async (tx: Tx, runs: readonly ArchivedRun[]): Promise<void> => {
  const ids = runs.map((run) => run.run_id)
  const owners = ofRuns(tx, ids)
  await tx.query(sql.type(nothing)`
    insert into archived_runs as a (installation_id, run_id, rev, url, start, bytes, hash, rows)
    select r.installation_id, t.* from jsonb_to_recordset(${jsonRows(runs)}) as t(run_id uuid, rev int4, url text, start int8, bytes int4,
      hash text, rows jsonb) join runs r on r.installation_id ${owners} and r.id = t.run_id and r.rev = t.rev
    on conflict (installation_id, run_id) do update set rev = excluded.rev, url = excluded.url, start = excluded.start, bytes = excluded.bytes,
      hash = excluded.hash, rows = excluded.rows where a.rev <> excluded.rev`)
  await tx.query(sql.type(nothing)`
    insert into archived_stacks (installation_id, stack_id, mode, created_at, run_id, status, summary, job_url, started_at, finished_at)
    select x.installation_id, x.stack_id, x.mode, x.created_at, x.run_id, x.status, t.body->'summary', t.body->>'job_url',
      x.started_at, x.finished_at
    from run_stacks x left join results t on t.installation_id = x.installation_id and t.run_id = x.run_id and t.stack_id = x.stack_id
      and ${betweenRuns(sql.fragment`t.run_id`, ids)}
    where x.installation_id ${owners} and x.run_id = any(${sql.array(ids, 'uuid')}) and ${betweenRuns(sql.fragment`x.run_id`, ids)}
    on conflict (installation_id, stack_id, mode, created_at, run_id) do update set status = excluded.status, summary = excluded.summary,
      job_url = excluded.job_url, started_at = excluded.started_at, finished_at = excluded.finished_at`)
}

/** How many rows of each table the archive has of a month, of the runs whose rows the tables have still. */
export const countArchived = (db: Reader, month: string): Promise<RowCounts> =>
  db.one(sql.type(counts)`
    select coalesce(sum((rows->>'run_stacks')::int8), 0)::int8 as run_stacks, coalesce(sum((rows->>'results')::int8), 0)::int8 as results,
      coalesce(sum((rows->>'journal')::int8), 0)::int8 as journal, coalesce(sum((rows->>'checks')::int8), 0)::int8 as checks,
      coalesce(sum((rows->>'check_runs')::int8), 0)::int8 as check_runs
    from archived_runs where ${isOfMonth(month)} and not dropped`)

/**
 * Forgets archived runs that have other rows now than when they were read, which are then found again. Not all that writes rows
 * raises the run's number: what was sent to the code host does not.
 */
export const forgetMiscounted = async (db: Reader, month: string): Promise<number> => {
  const isMiscounted = historyTableNames.map(
    (table) => sql.fragment`
      select a.run_id from archived_runs a left join (
        select run_id, count(*) as rows from ${sql.identifier([partitionOf(table, month)])} group by run_id) n on n.run_id = a.run_id
      where ${isOfMonth(month, sql.fragment`a.run_id`)} and not a.dropped and coalesce(n.rows, 0) <> (a.rows->>${table})::int8`,
  )
  const { rowCount } = await db.query(sql.type(nothing)`
    delete from archived_runs where run_id in (${sql.join(isMiscounted, sql.fragment` union `)})`)
  return rowCount
}
