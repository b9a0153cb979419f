import { z } from 'zod'
import { sql, type Tx } from '../sql.ts'
import { QueueRow, queueColumns } from './queue-row.ts'

const LockedRow = z.object({
  ...QueueRow.shape,
  state: z.enum([...QueueRow.shape.state.options, 'ignored']),
  repo: z.string().nullable(),
})

/** A row, locked, with the name of its repository. */
export const lockQueueRow = async (tx: Tx, id: number): Promise<z.infer<typeof LockedRow> | undefined> =>
  (await tx.maybeOne(sql.type(LockedRow)`
    select ${queueColumns}, (
      select p.full_name from repositories p
      where p.id = coalesce(
        case when queue = 'jobs' then (select repo_id from runs where id = (payload->>'run_id')::uuid) end,
        case when queue = 'jobs' then (payload->>'repo_id')::int8 else (payload->'repository'->>'id')::int8 end)) as repo
    from jobs where id = ${id} for update`)) ?? undefined

/** Queues a dead row again, as if it were new. If the same job already waits, that job takes its place and this row is done. */
export const requeue = async (tx: Tx, row: Pick<QueueRow, 'id'>, now: Date): Promise<QueueRow> =>
  tx.one(sql.type(QueueRow)`
    update jobs set attempt = 0, leased_by = null, leased_until = null, run_at = ${now.toISOString()},
      state = case when t.waits then 'done' else 'queued' end,
      finished_at = case when t.waits then ${now.toISOString()}::timestamptz end
    from (
      select exists (
        select 1 from jobs j join jobs q on q.installation_id = j.installation_id and q.kind = j.kind and q.key = j.key
          and q.state = 'queued'
        where j.id = ${row.id}) as waits) t
    where id = ${row.id} returning ${queueColumns}`)
