import { z } from 'zod'
import { type FragmentSqlToken, jsonRows, nothing, type Reader, sql } from '../sql.ts'
import { tenantOf } from '../tenant.ts'

export const JobRow = z.object({
  id: z.number(),
  queue: z.enum(['events', 'jobs']),
  kind: z.string(),
  key: z.string().nullable(),
  lane: z.string().nullable(),
  delivery_id: z.string().nullable(),
  payload: z.unknown(),
  cause: z.string().nullable(),
  installation_id: z.number(),
  attempt: z.number(),
  /** Of an earlier attempt, which counts or not. */
  last_error: z.string().nullable(),
  created_at: z.date(),
})

/** A row of the queue that this process has leased; `attempt` counts from 1 and includes the current one. */
export type JobRow = z.infer<typeof JobRow>

export type NewJob = {
  kind: string
  key: string | null
  lane: string | null
  payload: object
  cause: string | null
  /** Whose it is; otherwise found by the repository or the run in the payload, or nobody's. */
  installationId?: number
  /** Of the rows of one lane, and of one installation, the lowest go first. */
  priority?: number
  /** Not before this time; at once if absent. */
  runAt?: Date
  /**
   * Of a run, in the pace in which it is published: due when that may be done again, and not touched if it waits already. Only for
   * a transaction that has locked the run: who publishes waits for that lock, and so reads what the transaction wrote.
   */
  paced?: boolean
}

const RunAtRow = z.object({ run_at: z.date() })

/**
 * Queues effects. A job already waiting under the same kind and key is not doubled, but it is locked to the end of the
 * transaction: no worker can take it, and read the database, before this transaction's writes are visible.
 */
export const addJobs = async (tx: Reader, jobs: readonly NewJob[]): Promise<void> => {
  if (jobs.length > 0) await tx.query(sql.type(RunAtRow)`${jobsAdded(tx, jobs)}`)
}

/**
 * The same, as a part of the statement that stores a batch of transitions; returns the time of each job that was queued or changed.
 * `limit 1` keeps the look for a waiting job to one index probe: without it, the planner may read all that wait.
 */
export const jobsAdded = (tx: Reader, jobs: readonly NewJob[]): FragmentSqlToken => sql.fragment`
    insert into jobs (queue, kind, key, lane, payload, cause, priority, installation_id, run_at)
    select 'jobs', t.kind, t.key, t.lane, t.payload, t.cause, coalesce(t.priority, 1), o.installation_id, w.run_at
    from jsonb_to_recordset(${jsonRows(jobs)}) as t(kind text, key text, lane text, payload jsonb, cause text,
      priority int2, "installationId" int8, "runAt" timestamptz, paced boolean)
    cross join lateral (select coalesce("installationId",
      (select installation_id from repositories where id = (t.payload->>'repo_id')::int8), ${ofPayload(tx)}) as installation_id offset 0) o
    cross join lateral (select case when t.paced
      then greatest(now(), (
        select next_at from publications where installation_id = o.installation_id and run_id = (t.payload->>'run_id')::uuid))
      else coalesce("runAt", now()) end as run_at) w
    where t.paced is not true or (
      select q.id from jobs q where q.installation_id = o.installation_id and q.state = 'queued' and q.kind = t.kind and q.key = t.key
        and (q.last_error is not null or q.run_at <= w.run_at) limit 1) is null
    order by t.kind, t.key, o.installation_id
    on conflict (installation_id, kind, key) where state = 'queued' and key is not null
      do update set cause = excluded.cause, lane = excluded.lane, payload = excluded.payload,
        priority = excluded.priority,
        -- a job that failed, or was put off, still waits that time
        run_at = case when jobs.last_error is null then least(jobs.run_at, excluded.run_at) else jobs.run_at end
    returning run_at`

/** Whose a job is that names no repository: of whom the transaction is about, or else of its run; or nobody's. */
const ofPayload = (tx: Reader): FragmentSqlToken => {
  const said = tenantOf(tx)
  return said === undefined
    ? sql.fragment`(select installation_id from runs where id = (t.payload->>'run_id')::uuid), 0`
    : sql.fragment`${said}::int8`
}

/** What makes two jobs the same job; without an installation, they are nobody's. */
type Name = { kind: string; key: string; installationId?: number }

const PlaceRow = z.object({ place: z.number() })

/**
 * The given jobs that are neither waiting nor with a worker. Takes the keys of the jobs to be queued: a statement that found
 * the work and its job together would spell the key a second time. One index probe of the waiting jobs each, and one read of
 * the running jobs: 1.4 ms for 200 jobs beside 100,000 waiting.
 */
export const missingJobs = async <J extends Name>(db: Reader, jobs: readonly J[]): Promise<J[]> => {
  const kinds = jobs.map(({ kind }) => kind)
  const keys = jobs.map(({ key }) => key)
  const owners = jobs.map(({ installationId = 0 }) => installationId)
  const rows = await db.any(sql.type(PlaceRow)`
    select w.place from unnest(${sql.array(kinds, 'text')}, ${sql.array(keys, 'text')}, ${sql.array(owners, 'int8')})
      with ordinality as w(kind, key, owner, place)
    where not exists (select 1 from jobs j where j.installation_id = w.owner and j.state = 'queued' and j.kind = w.kind and j.key = w.key)
      and not exists (select 1 from jobs j where j.installation_id = w.owner and j.state = 'running' and j.kind = w.kind
        and j.key = w.key)`)
  const missing = new Set(rows.map(({ place }) => place))
  return jobs.filter((_, index) => missing.has(index + 1))
}

const IdRow = z.object({ id: z.number() })

/** Whether this job is waiting. */
export const isQueued = (db: Reader, { kind, key, installationId = 0 }: Name): Promise<boolean> =>
  db.exists(sql.type(IdRow)`
    select id from jobs where installation_id = ${installationId} and kind = ${kind} and key = ${key} and state = 'queued'`)

/** Whether a worker has this job, or had it when it died. */
export const isRunning = (db: Reader, { kind, key, installationId = 0 }: Name): Promise<boolean> =>
  db.exists(sql.type(IdRow)`
    select id from jobs where installation_id = ${installationId} and kind = ${kind} and key = ${key} and state = 'running'`)

/** Runs a job at once that waits after a failure, as if it were new: the cause may have been fixed. */
export const hastenJob = async (db: Reader, { kind, key, installationId = 0 }: Name): Promise<void> => {
  await db.query(sql.type(nothing)`
    update jobs set run_at = now(), attempt = 0
    where installation_id = ${installationId} and kind = ${kind} and key = ${key} and state = 'queued'`)
}

const CreatedAtRow = z.object({ created_at: z.date() })

/**
 * When the last finished job of this kind and key was queued. A job that failed, or lost its worker, and gave way to a newer
 * one does not count: the newer job does its work.
 */
export const lastDone = async (db: Reader, { kind, key, installationId = 0 }: Name): Promise<Date | undefined> => {
  // by the primary key from its end: a job done every few minutes is among the newest rows
  const row = await db.maybeOne(sql.type(CreatedAtRow)`
    select created_at from jobs
    where installation_id = ${installationId} and kind = ${kind} and key = ${key} and state = 'done' and last_error is null
    order by id desc limit 1`)
  return row?.created_at
}

const QueueStateRow = z.object({ queue: z.string(), state: z.string(), count: z.number() })

/**
 * Unfinished rows by queue and state: for the gauge, and for a test that waits for an empty queue. Uses the indexes of those
 * states: a week of finished jobs lies beside them.
 */
export const queueDepths = (db: Reader): Promise<readonly { queue: string; state: string; count: number }[]> =>
  db.any(sql.type(QueueStateRow)`
    select queue, state, count(*) as count from (
      select queue, state from jobs where state = 'queued' and lane is null
      union all select queue, state from jobs where state = 'queued' and lane is not null
      union all select queue, state from jobs where state = 'running'
      union all select queue, state from jobs where state = 'dead') left_over
    group by queue, state`)
