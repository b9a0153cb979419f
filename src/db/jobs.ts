import { UniqueIntegrityConstraintViolationError } from 'slonik'
import { z } from 'zod'
import { type Reader, sql } from './sql.ts'

const JobRow = z.object({
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

const columns = sql.fragment`id, queue, kind, key, lane, delivery_id, payload, cause, attempt, created_at`

export type NewJob = {
  kind: string
  key: string | null
  lane: string | null
  payload: object
  cause: string | null
  /** Not before this time; without it at once. */
  runAt?: Date
}

/**
 * Queues effects. One that waits already under the same kind and key is not doubled, but it is locked to the end of the
 * transaction: a worker cannot take it, and read the database, before what this transaction writes can be seen.
 */
export const addJobs = async (tx: Reader, jobs: NewJob[]): Promise<void> => {
  if (jobs.length === 0) return
  await tx.query(sql.type(z.object({}))`
    insert into jobs (queue, kind, key, lane, payload, cause, run_at)
    select 'jobs', kind, key, lane, payload, cause, coalesce(run_at, now()) from ${sql.unnest(
      jobs.map((job) => [
        job.kind,
        job.key,
        job.lane,
        JSON.stringify(job.payload),
        job.cause,
        job.runAt?.toISOString() ?? null,
      ]),
      ['text', 'text', 'text', 'jsonb', 'text', 'timestamptz'],
    )} as t(kind, key, lane, payload, cause, run_at)
    order by kind, key
    on conflict (kind, key) where state = 'queued' and key is not null
      do update set cause = excluded.cause,
        -- one that failed before waits out its retry
        run_at = case when jobs.attempt > 0 then jobs.run_at else least(jobs.run_at, excluded.run_at) end`)
}

/** Queues a webhook delivery. False when it was queued before: the same delivery again. */
export const addDelivery = async (
  db: Reader,
  delivery: { id: string; event: string; lane: string | null; payload: string },
): Promise<boolean> => {
  const result = await db.query(sql.type(z.object({}))`
    insert into jobs (queue, kind, lane, delivery_id, payload, cause)
    values ('events', ${delivery.event}, ${delivery.lane}, ${delivery.id}, ${delivery.payload}::jsonb, ${delivery.id})
    on conflict (delivery_id) where delivery_id is not null do nothing`)
  return result.rowCount === 1
}

/**
 * Takes up to `limit` rows that are due, earliest first and at most one of each lane, and leases them. SKIP LOCKED lets
 * processes take different rows at the same time; two that take of one lane in the same moment meet at its unique index,
 * and the one refused has nothing to do for now.
 */
export const claimJobs = async (db: Reader, claim: Claim): Promise<readonly JobRow[]> => {
  try {
    return await takeDue(db, claim)
  } catch (error) {
    if (error instanceof UniqueIntegrityConstraintViolationError) return []
    throw error
  }
}

type Claim = { worker: string; limit: number; leaseSeconds: number; now: Date }

const takeDue = (db: Reader, claim: Claim): Promise<readonly JobRow[]> =>
  db.any(sql.type(JobRow)`
    with due as (
      select j.id, row_number() over (partition by coalesce(j.lane, j.id::text) order by j.run_at, j.id) as place
      from (
        select id, lane, run_at from jobs
        where state = 'queued' and run_at <= ${claim.now.toISOString()}
          and (lane is null or not exists (
            select 1 from jobs r where r.state = 'running' and r.lane = jobs.lane))
        order by run_at, id limit ${claim.limit * 8}) j
    ), taken as (
      select id from jobs where id in (select id from due where place = 1 order by id limit ${claim.limit})
        and state = 'queued'
      for update skip locked
    )
    update jobs set state = 'running', attempt = attempt + 1, leased_by = ${claim.worker},
      leased_until = ${claim.now.toISOString()}::timestamptz + make_interval(secs => ${claim.leaseSeconds})
    where id in (select id from taken)
    returning ${columns}`)

/** Holds on to rows whose handlers are still at work. */
export const renewLeases = async (db: Reader, worker: string, ids: number[], until: Date): Promise<void> => {
  await db.query(sql.type(z.object({}))`
    update jobs set leased_until = ${until.toISOString()}
    where id = any(${sql.array(ids, 'int8')}) and leased_by = ${worker} and state = 'running'`)
}

/**
 * Gives rows back whose worker is gone: their lease ran out. Where the same wish was queued again meanwhile, the row is
 * done with: the newer one says the same. One that took its worker with it `attempts` times is buried.
 */
export const releaseExpired = async (db: Reader, now: Date, attempts: number): Promise<number> => {
  const result = await db.query(sql.type(z.object({}))`
    update jobs set leased_by = null, leased_until = null,
      last_error = case when attempt >= ${attempts} then 'its worker died each time' else last_error end,
      state = case
        when exists (select 1 from jobs q where q.state = 'queued' and q.kind = jobs.kind and q.key = jobs.key) then 'done'
        when attempt >= ${attempts} then 'dead'
        else 'queued' end
    where state = 'running' and leased_until < ${now.toISOString()}`)
  return result.rowCount
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

/** Puts a row back for later with what went wrong, or buries it where `runAt` is null. */
export const failJob = async (
  db: Reader,
  worker: string,
  job: { id: number; error: string; runAt: Date | null; countAttempt: boolean },
): Promise<void> => {
  const runAt = job.runAt?.toISOString() ?? null
  await db.query(sql.type(z.object({}))`
    update jobs set leased_by = null, leased_until = null, last_error = ${job.error},
      attempt = attempt - ${job.countAttempt ? 0 : 1},
      run_at = coalesce(${runAt}::timestamptz, run_at),
      finished_at = case when ${runAt}::timestamptz is null then now() end,
      state = case
        when ${runAt}::timestamptz is null then 'dead'
        when exists (select 1 from jobs q where q.state = 'queued' and q.kind = jobs.kind and q.key = jobs.key) then 'done'
        else 'queued' end
    where id = ${job.id} and leased_by = ${worker} and state = 'running'`)
}

/** When the earliest waiting row is due: how long a worker may sleep. */
export const nextDue = async (db: Reader): Promise<Date | undefined> => {
  const row = await db.maybeOne(sql.type(z.object({ run_at: z.date() }))`
    select run_at from jobs where state = 'queued' order by run_at limit 1`)
  return row?.run_at
}

/** Rows by queue and state that are not done: for the gauge, and for a test that waits until nothing is left to do. */
export const queueDepths = (db: Reader): Promise<readonly { queue: string; state: string; count: number }[]> =>
  db.any(sql.type(z.object({ queue: z.string(), state: z.string(), count: z.number() }))`
    select queue, state, count(*) as count from jobs where state in ('queued', 'running', 'dead') group by queue, state`)
