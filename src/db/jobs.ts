import { z } from 'zod'
import { type FragmentSqlToken, jsonRows, type Reader, sql } from './sql.ts'

export const JobRow = z.object({
  id: z.number(),
  queue: z.enum(['events', 'jobs']),
  kind: z.string(),
  key: z.string().nullable(),
  lane: z.string().nullable(),
  delivery_id: z.string().nullable(),
  payload: z.unknown(),
  cause: z.string().nullable(),
  attempt: z.number(),
  created_at: z.date(),
})

/** A row of the queue that this process has the lease of; `attempt` counts from 1 and includes this one. */
export type JobRow = z.infer<typeof JobRow>

export const jobColumns = sql.fragment`
  jobs.id, jobs.queue, jobs.kind, jobs.key, jobs.lane, jobs.delivery_id, jobs.payload, jobs.cause, jobs.attempt,
  jobs.created_at`

export type NewJob = {
  kind: string
  key: string | null
  lane: string | null
  payload: object
  cause: string | null
  /** Not before this time; without it at once. */
  runAt?: Date
}

/** Writes to one installation go one after another: they share its budget at the code host. */
export const installationLane = (installationId: number): string => `installation ${installationId}`

/**
 * Queues effects. One that waits already under the same kind and key is not doubled, but it is locked to the end of the
 * transaction: a worker cannot take it, and read the database, before what this transaction writes can be seen.
 */
export const addJobs = async (tx: Reader, jobs: NewJob[]): Promise<void> => {
  if (jobs.length > 0) await tx.query(sql.type(z.object({}))`${jobsAdded(jobs)}`)
}

/** The same, as a part of the statement that stores a batch of transitions. */
export const jobsAdded = (jobs: NewJob[]): FragmentSqlToken => sql.fragment`
    insert into jobs (queue, kind, key, lane, payload, cause, run_at)
    select 'jobs', kind, key, lane, payload, cause, coalesce("runAt", now())
    from jsonb_to_recordset(${jsonRows(jobs)}) as t(kind text, key text, lane text, payload jsonb, cause text,
      "runAt" timestamptz)
    order by kind, key
    on conflict (kind, key) where state = 'queued' and key is not null
      do update set cause = excluded.cause, lane = excluded.lane, payload = excluded.payload,
        -- one that failed, or was asked to come back later, waits that out
        run_at = case when jobs.last_error is null then least(jobs.run_at, excluded.run_at) else jobs.run_at end`

/** Whether such a wish waits to be carried out. */
export const isQueued = (db: Reader, kind: string, key: string): Promise<boolean> =>
  db.exists(sql.type(z.object({ id: z.number() }))`
    select id from jobs where kind = ${kind} and key = ${key} and state = 'queued'`)

/** Whether a worker has it, or had when it died. */
export const isRunning = (db: Reader, kind: string, key: string): Promise<boolean> =>
  db.exists(sql.type(z.object({ id: z.number() }))`
    select id from jobs where kind = ${kind} and key = ${key} and state = 'running'`)

/** Has a wish carried out at once that waits out a failure, as if it were new: what it failed on may have been mended. */
export const hastenJob = async (db: Reader, kind: string, key: string): Promise<void> => {
  await db.query(sql.type(z.object({}))`
    update jobs set run_at = now(), attempt = 0 where kind = ${kind} and key = ${key} and state = 'queued'`)
}

/**
 * When the job of this kind and key that was done last was queued. One that failed, or lost its worker, and gave way to a newer
 * wish is no more than off the queue: what it left undone is that one's.
 */
export const lastDone = async (db: Reader, job: { kind: string; key: string }): Promise<Date | undefined> => {
  // by the primary key from its end: what is done each few minutes is among the newest rows
  const row = await db.maybeOne(sql.type(z.object({ created_at: z.date() }))`
    select created_at from jobs
    where kind = ${job.kind} and key = ${job.key} and state = 'done' and last_error is null order by id desc limit 1`)
  return row?.created_at
}

/**
 * Rows by queue and state that are not done: for the gauge, and for a test that waits until nothing is left to do. By the
 * indexes of those states: all that were done in a week lie beside them.
 */
export const queueDepths = (db: Reader): Promise<readonly { queue: string; state: string; count: number }[]> =>
  db.any(sql.type(z.object({ queue: z.string(), state: z.string(), count: z.number() }))`
    select queue, state, count(*) as count from (
      select queue, state from jobs where state = 'queued' and lane is null
      union all select queue, state from jobs where state = 'queued' and lane is not null
      union all select queue, state from jobs where state = 'running'
      union all select queue, state from jobs where state = 'dead') left_over
    group by queue, state`)
