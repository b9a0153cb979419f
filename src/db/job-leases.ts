import { UniqueIntegrityConstraintViolationError } from 'slonik'
import { z } from 'zod'
import { type FragmentSqlToken, type Reader, sql } from './sql.ts'

/*
 * What becomes of rows that a worker has the lease of: it holds on to them, ends them, puts them back, or is gone.
 */

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
  return release(db, isGone, { attempts })
}

/** Gives rows back that are leased to the worker and not among its own: they would wait for the end of the lease. */
export const releaseStrays = (
  db: Reader,
  worker: string,
  { own, attempts }: { own: number[]; attempts: number },
): Promise<number> => {
  const isStray = sql.fragment`leased_by = ${worker} and id <> all(${sql.array(own, 'int8')})`
  return release(db, isStray, { attempts })
}

/** Gives rows back that the worker took and did not begin: that was no attempt. */
export const handBack = async (db: Reader, worker: string, ids: number[]): Promise<void> => {
  if (ids.length === 0) return
  const isOwn = sql.fragment`leased_by = ${worker} and id = any(${sql.array(ids, 'int8')})`
  await release(db, isOwn, { attempt: sql.fragment`attempt - 1` })
}

/**
 * Of several of one kind and key, or where the same wish was queued again meanwhile, one goes on, with the attempts of the
 * others.
 */
const release = async (
  db: Reader,
  which: FragmentSqlToken,
  { attempt = sql.fragment`attempt`, attempts = null }: { attempt?: FragmentSqlToken; attempts?: number | null },
): Promise<number> => {
  const isDead = sql.fragment`coalesce(r.attempt >= ${attempts}::int, false)`
  const rows = await besideNewWishes(() =>
    db.any(sql.type(z.object({ id: z.number() }))`
      with gone as (
        select id, kind, key, ${attempt} as attempt from jobs where state = 'running' and ${which} for update skip locked
      ), ranked as (
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
