import { z } from 'zod'
import { type Reader, sql, type Tx } from '../sql.ts'

const QueueRow = z.object({
  id: z.number(),
  queue: z.enum(['events', 'jobs']),
  kind: z.string(),
  key: z.string().nullable(),
  delivery_id: z.string().nullable(),
  state: z.string(),
  attempt: z.number(),
  last_error: z.string().nullable(),
  run_at: z.date(),
  created_at: z.date(),
  finished_at: z.date().nullable(),
})

/** A row of the queue as administrators see it: payloads stay where they are. */
export type QueueRow = z.infer<typeof QueueRow>

const columns = sql.fragment`
  id, queue, kind, key, delivery_id, state, attempt, last_error, run_at, created_at, finished_at`

/** Spelled out: to a parameter the indexes of one state alone are of no use. */
const inState = {
  dead: sql.fragment`state = 'dead'`,
  queued: sql.fragment`state = 'queued'`,
  running: sql.fragment`state = 'running'`,
}

/** Rows in a state, newest first. */
export const queueRows = (
  db: Reader,
  wanted: { state: keyof typeof inState; before: number | undefined; limit: number },
): Promise<readonly QueueRow[]> =>
  db.any(sql.type(QueueRow)`
    select ${columns} from jobs
    where ${inState[wanted.state]}
      ${wanted.before === undefined ? sql.fragment`` : sql.fragment`and id < ${wanted.before}`}
    order by id desc limit ${wanted.limit}`)

const LockedRow = z.object({ ...QueueRow.shape, repo: z.string().nullable() })

/** A row, locked, with the name of the repository that it is about. */
export const lockQueueRow = async (tx: Tx, id: number): Promise<z.infer<typeof LockedRow> | undefined> =>
  (await tx.maybeOne(sql.type(LockedRow)`
    select ${columns}, (
      select p.full_name from repositories p
      where p.id = coalesce(
        case when queue = 'jobs' then (select repo_id from runs where id = (payload->>'run_id')::uuid) end,
        case when queue = 'jobs' then (payload->>'repo_id')::int8 else (payload->'repository'->>'id')::int8 end)) as repo
    from jobs where id = ${id} for update`)) ?? undefined

/**
 * Queues a dead row again, as if it were new. Where the same wish waits already, that one stands for it and this row is done.
 */
export const requeue = async (tx: Tx, row: Pick<QueueRow, 'id'>, now: Date): Promise<QueueRow> =>
  tx.one(sql.type(QueueRow)`
    update jobs set attempt = 0, leased_by = null, leased_until = null, run_at = ${now.toISOString()},
      state = case when t.waits then 'done' else 'queued' end,
      finished_at = case when t.waits then ${now.toISOString()}::timestamptz end
    from (
      select exists (
        select 1 from jobs j join jobs q on q.kind = j.kind and q.key = j.key and q.state = 'queued'
        where j.id = ${row.id}) as waits) t
    where id = ${row.id} returning ${columns}`)
