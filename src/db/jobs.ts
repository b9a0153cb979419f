import { UniqueIntegrityConstraintViolationError } from 'slonik'
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
 * A row that is put back may meet a wish of its kind and key that was queued meanwhile by a transaction not visible yet:
 * it waits for that transaction at the unique index, is refused, and finds the other wish at the second look.
 */
export const besideNewWishes = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UniqueIntegrityConstraintViolationError) return work()
    throw error
  }
}

/** Holds on to rows whose handlers are still at work; answers the ids of those that are still the worker's. */
export const renewLeases = async (db: Reader, worker: string, ids: number[], until: Date): Promise<Set<number>> => {
  const rows = await db.any(sql.type(z.object({ id: z.number() }))`
    update jobs set leased_until = ${until.toISOString()}
    where id = any(${sql.array(ids, 'int8')}) and leased_by = ${worker} and state = 'running'
    returning id`)
  return new Set(rows.map((row) => row.id))
}

/**
 * Gives rows back whose worker is gone: their lease ran out, and they are not among those that the caller itself is still
 * at work on. One that took its worker with it `attempts` times is buried.
 */
export const releaseExpired = (
  db: Reader,
  { now, attempts, own = [] }: { now: Date; attempts: number; own?: number[] },
): Promise<number> => {
  const isGone = sql.fragment`leased_until < ${now.toISOString()} and id <> all(${sql.array(own, 'int8')})`
  return release(
    db,
    sql.fragment`select id, kind, key, attempt from jobs where state = 'running' and ${isGone}`,
    attempts,
  )
}

/** Gives rows back that are leased to the worker and not among its own: they would wait for the end of the lease. */
export const releaseStrays = (
  db: Reader,
  worker: string,
  { own, attempts }: { own: number[]; attempts: number },
): Promise<number> => {
  const isStray = sql.fragment`leased_by = ${worker} and id <> all(${sql.array(own, 'int8')})`
  return release(
    db,
    sql.fragment`select id, kind, key, attempt from jobs where state = 'running' and ${isStray}`,
    attempts,
  )
}

/** Gives rows back that the worker took and did not begin: that was no attempt. */
export const handBack = async (db: Reader, worker: string, ids: number[]): Promise<void> => {
  if (ids.length === 0) return
  const isOwn = sql.fragment`leased_by = ${worker} and id = any(${sql.array(ids, 'int8')})`
  await release(
    db,
    sql.fragment`select id, kind, key, attempt - 1 as attempt from jobs where state = 'running' and ${isOwn}`,
  )
}

/**
 * Of several of one kind and key, or where the same wish was queued again meanwhile, one goes on, with the attempts of the
 * others.
 */
const release = async (db: Reader, which: FragmentSqlToken, attempts: number | null = null): Promise<number> => {
  const isDead = sql.fragment`coalesce(r.attempt >= ${attempts}::int, false)`
  const rows = await besideNewWishes(() =>
    db.any(sql.type(z.object({ id: z.number() }))`
      with gone as (${which} for update skip locked), ranked as (
        select gone.*, row_number() over (
            partition by kind, key, case when key is null then id end order by attempt desc, id) as place,
          exists (select 1 from jobs q where q.state = 'queued' and q.kind = gone.kind and q.key = gone.key) as waits
        from gone
      ), waiting as (
        update jobs q set attempt = greatest(q.attempt, r.attempt) from ranked r
        where r.place = 1 and not ${isDead} and q.state = 'queued' and q.kind = r.kind and q.key = r.key
      )
      update jobs set leased_by = null, leased_until = null, attempt = r.attempt,
        last_error = case
          when ${isDead} then 'its worker died each time'
          when r.waits or r.place > 1 then coalesce(jobs.last_error, 'another goes on in its place')
          else jobs.last_error end,
        finished_at = case when ${isDead} or r.waits or r.place > 1 then now() end,
        state = case
          when ${isDead} then 'dead'
          when r.waits or r.place > 1 then 'done'
          else 'queued' end
      from ranked r where jobs.id = r.id
      returning jobs.id`),
  )
  return rows.length
}

/** Ends rows that were handled; the lease must still be ours. */
export const finishJobs = async (
  db: Reader,
  worker: string,
  ids: number[],
  state: 'done' | 'ignored',
): Promise<void> => {
  await db.query(sql.type(z.object({}))`
    update jobs set state = ${state}, finished_at = now(), leased_by = null, leased_until = null, last_error = null
    where id = any(${sql.array(ids, 'int8')}) and leased_by = ${worker} and state = 'running'`)
}

/**
 * Puts a row back for later with what went wrong, or buries it where `runAt` is null. Where the same wish was queued again
 * meanwhile, that one goes on in its place, and waits as long: else each new wish would be an attempt at once.
 */
export const failJob = async (
  db: Reader,
  worker: string,
  job: { id: number; error: string; runAt: Date | null; countAttempt: boolean },
): Promise<void> => {
  const runAt = job.runAt?.toISOString() ?? null
  await besideNewWishes(() =>
    db.query(sql.type(z.object({}))`
      with failed as (
        update jobs set leased_by = null, leased_until = null, last_error = ${job.error},
          attempt = attempt - ${job.countAttempt ? 0 : 1},
          run_at = coalesce(${runAt}::timestamptz, run_at),
          finished_at = case when ${runAt}::timestamptz is null or t.waits then now() end,
          state = case when ${runAt}::timestamptz is null then 'dead' when t.waits then 'done' else 'queued' end
        from (
          select exists (
            select 1 from jobs j join jobs q on q.kind = j.kind and q.key = j.key and q.state = 'queued'
            where j.id = ${job.id}) as waits) t
        where id = ${job.id} and leased_by = ${worker} and state = 'running'
        returning kind, key, attempt, state
      )
      update jobs q set attempt = greatest(q.attempt, f.attempt), last_error = ${job.error},
        run_at = greatest(q.run_at, ${runAt}::timestamptz)
      from failed f where f.state = 'done' and q.state = 'queued' and q.kind = f.kind and q.key = f.key`),
  )
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
