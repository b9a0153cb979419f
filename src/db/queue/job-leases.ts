import { UniqueIntegrityConstraintViolationError } from 'slonik'
import { z } from 'zod'
import { type FragmentSqlToken, nothing, type Reader, sql } from '../sql.ts'
import { within } from '../tenant.ts'
import { unhurried } from '../unhurried.ts'

/*
 * What happens to leased rows: the worker renews the lease, ends them, puts them back, or dies.
 */

/**
 * A row that is put back may meet a new job of its kind and key, from a transaction that is not visible yet: it waits for that
 * transaction at the unique index, is refused, and finds the new job on the second try.
 */
export const besideNewJobs = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UniqueIntegrityConstraintViolationError) return work()
    throw error
  }
}

const IdRow = z.object({ id: z.number() })

/** A worker's hold of rows, and for how long from `now`. */
export type Lease = { worker: string; leaseSeconds: number; now: Date }

/** The end of a lease, by the later of the worker's time and the database's: one that is behind would have short ones. */
export const leasedUntil = ({ now, leaseSeconds }: Omit<Lease, 'worker'>): FragmentSqlToken =>
  sql.fragment`greatest(${now.toISOString()}::timestamptz, now()) + make_interval(secs => ${leaseSeconds})`

/**
 * Renews the leases of rows whose handlers are still at work; returns the ids of those that the worker still has. A row that
 * another transaction holds is left to the next time: one held by a stranger would cost the leases of all others.
 */
export const renewLeases = async (
  db: Reader,
  worker: string,
  ids: number[],
  lease: Omit<Lease, 'worker'>,
): Promise<Set<number>> => {
  const isOwn = sql.fragment`id = any(${sql.array(ids, 'int8')}) and leased_by = ${worker} and state = 'running'`
  const rows = await db.any(sql.type(IdRow)`
    with free as (
      select id from jobs where ${isOwn} for update skip locked
    ), renewed as (
      update jobs set leased_until = ${leasedUntil(lease)}
      where id = any(array(select id from free))
    )
    select id from jobs where ${isOwn}`)
  return new Set(rows.map((row) => row.id))
}

/**
 * Puts back rows whose worker is gone: their lease ran out, and the caller itself is not still working on them. A row whose
 * worker died `attempts` times is buried.
 */
export const releaseExpired = (
  db: Reader,
  { now, attempts, own = [] }: { now: Date; attempts: number; own?: number[] },
): Promise<number> => {
  const isGone = sql.fragment`leased_until < ${now.toISOString()} and id <> all(${sql.array(own, 'int8')})`
  return release(db, isGone, { attempts })
}

/** Puts back rows that are leased to the worker and not among its own: they would wait for the end of the lease. */
export const releaseStrays = (
  db: Reader,
  worker: string,
  { own, attempts }: { own: number[]; attempts: number },
): Promise<number> => {
  const isStray = sql.fragment`leased_by = ${worker} and id <> all(${sql.array(own, 'int8')})`
  return release(db, isStray, { attempts })
}

/** Puts back rows that the worker took and did not begin: that does not count as an attempt. */
export const handBack = async (db: Reader, worker: string, ids: number[]): Promise<void> => {
  if (ids.length === 0) return
  const isOwn = sql.fragment`leased_by = ${worker} and id = any(${sql.array(ids, 'int8')})`
  await release(db, isOwn, { attempt: sql.fragment`attempt - 1` })
}

/**
 * Of several rows of one kind and key, or if the same job was queued again meanwhile, one continues, with the highest attempt
 * count.
 */
const release = async (
  db: Reader,
  which: FragmentSqlToken,
  { attempt = sql.fragment`attempt`, attempts = null }: { attempt?: FragmentSqlToken; attempts?: number | null },
): Promise<number> => {
  const isDead = sql.fragment`coalesce(r.attempt >= ${attempts}::int, false)`
  const rows = await besideNewJobs(() =>
    db.any(sql.type(IdRow)`
      with gone as (
        select installation_id, id, kind, key, ${attempt} as attempt from jobs where state = 'running' and ${which} for update skip locked
      ), ranked as (
        select gone.*, row_number() over (
            partition by installation_id, kind, key, case when key is null then id end order by attempt desc, id) as place,
          exists (select 1 from jobs q where q.installation_id = gone.installation_id and q.state = 'queued' and q.kind = gone.kind
            and q.key = gone.key) as waits
        from gone
      ), waiting as (
        update jobs q set attempt = greatest(q.attempt, r.attempt) from ranked r
        where r.place = 1 and not ${isDead} and q.installation_id = r.installation_id and q.state = 'queued' and q.kind = r.kind
          and q.key = r.key
      )
      update jobs set leased_by = null, leased_until = null, attempt = r.attempt,
        last_error = case
          when ${isDead} then 'its worker died each time'
          when r.waits or r.place > 1 then coalesce(jobs.last_error, 'another row continues in its place')
          else jobs.last_error end,
        finished_at = case when ${isDead} or r.waits or r.place > 1 then now() end,
        state = case
          when ${isDead} then 'dead'
          when r.waits or r.place > 1 then 'done'
          else 'queued' end
      from ranked r where jobs.installation_id = r.installation_id and jobs.id = r.id
      returning jobs.id`),
  )
  return rows.length
}

/**
 * Ends handled rows; the lease must still be ours. Its commit does not wait for the disk: a row whose end is lost is handled again, as
 * one whose worker died at that moment is.
 */
export const finishJobs = async (
  db: Reader,
  worker: string,
  ids: number[],
  state: 'done' | 'ignored',
): Promise<void> => {
  await db.query(sql.type(nothing)`
    with ${unhurried}
    update jobs set state = ${state}, finished_at = now(), leased_by = null, leased_until = null, last_error = null
    from unhurried where ${within(db, sql.fragment`jobs`)} and id = any(${sql.array(ids, 'int8')}) and leased_by = ${worker} and state = 'running'`)
}

/**
 * Puts a row back for later with its error, or buries it if `runAt` is null. If the same job was queued again meanwhile, the
 * new one continues in its place and waits as long: otherwise each new job would be an attempt at once.
 */
export const failJob = async (
  db: Reader,
  worker: string,
  job: { id: number; error: string; runAt: Date | null; countAttempt: boolean },
): Promise<void> => {
  const runAt = job.runAt?.toISOString() ?? null
  await besideNewJobs(() =>
    db.query(sql.type(nothing)`
      with failed as (
        update jobs set leased_by = null, leased_until = null, last_error = ${job.error},
          attempt = attempt - ${job.countAttempt ? 0 : 1},
          run_at = coalesce(${runAt}::timestamptz, run_at),
          finished_at = case when ${runAt}::timestamptz is null or t.waits then now() end,
          state = case when ${runAt}::timestamptz is null then 'dead' when t.waits then 'done' else 'queued' end
        from (
          select exists (
            select 1 from jobs j join jobs q on q.installation_id = j.installation_id and q.kind = j.kind and q.key = j.key
              and q.state = 'queued'
            where ${within(db, sql.fragment`j`)} and j.id = ${job.id}) as waits) t
        where ${within(db, sql.fragment`jobs`)} and id = ${job.id} and leased_by = ${worker} and state = 'running'
        returning installation_id, kind, key, attempt, state
      )
      update jobs q set attempt = greatest(q.attempt, f.attempt), last_error = ${job.error},
        run_at = greatest(q.run_at, ${runAt}::timestamptz)
      from failed f where f.state = 'done' and q.installation_id = f.installation_id and q.state = 'queued' and q.kind = f.kind
        and q.key = f.key`),
  )
}
