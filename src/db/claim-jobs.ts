import { DatabaseError } from 'pg'
import { UniqueIntegrityConstraintViolationError } from 'slonik'
import { JobRow, jobColumns } from './jobs.ts'
import { type FragmentSqlToken, type RowSource, sql } from './sql.ts'

type Claim = { worker: string; limit: number; leaseSeconds: number; now: Date }

/** Claims of one lane in the same moment meet at its unique index; those refused look again, and see it busy. */
const looks = 3

/**
 * Takes up to `limit` rows that are due, earliest first and at most one of each lane, none of a lane that is busy, and
 * leases them. Processes take different rows at the same time: what another is about to take is passed over.
 */
export const claimJobs = async (db: RowSource, claim: Claim): Promise<readonly JobRow[]> => {
  for (let look = 1; ; look++) {
    try {
      return await takeDue(db, claim)
    } catch (error) {
      if (!isDuplicate(error)) throw error
      if (look === looks) return []
    }
  }
}

/** As a pool says it, and as a session by itself does. */
const isDuplicate = (error: unknown): boolean =>
  error instanceof UniqueIntegrityConstraintViolationError || (error instanceof DatabaseError && error.code === '23505')

/*
 * The lanes with something waiting are walked one index probe each (a "loose index scan"), and only the first row of each
 * is looked at: a lane with 100,000 rows costs as much as one with three, and hides nobody else's. 30 µs a lane; walking
 * the rows by time instead took 240 ms with 100,000 of them waiting, at every claim.
 * Due is what the worker's clock or the database's calls due: rows are stamped by the latter, and a worker whose clock is
 * behind would pass over what it was just woken for.
 * Updated by an array of ids and not by a join, for which the planner reads the whole of a table that is not yet large.
 */
const takeDue = (db: RowSource, claim: Claim): Promise<readonly JobRow[]> => {
  const { limit } = claim
  const due = dueOf(claim)
  return db.any(sql.type(JobRow)`
    with recursive lanes(lane) as (
      (select lane from jobs where state = 'queued' and lane is not null order by lane limit 1)
      union all
      select (select j.lane from jobs j where j.state = 'queued' and j.lane > l.lane order by j.lane limit 1)
      from lanes l where l.lane is not null
    ), heads as (
      select h.id, h.run_at from lanes l cross join lateral (
        select id, run_at from jobs where state = 'queued' and lane = l.lane order by run_at, id limit 1) h
      where h.run_at <= ${due} and not exists (select 1 from jobs r where r.state = 'running' and r.lane = l.lane)
    ), of_lanes as (
      select j.id, j.run_at from heads h join jobs j on j.id = h.id and j.state = 'queued'
      order by h.run_at, h.id limit ${limit} for update of j skip locked
    ), of_no_lane as (${firstOfNoLane(claim)})
    ${leased(
      claim,
      sql.fragment`
        select id from (select * from of_lanes union all select * from of_no_lane) f order by run_at, id limit ${limit}`,
    )}`)
}

/**
 * Takes rows of no lane alone: in two thirds of the time, which is what counts where a worker has nothing else to do and was
 * told of one row just queued. Those of lanes would wait behind them, so that one look in a row may be such a one.
 */
export const claimFreeJobs = (db: RowSource, claim: Claim): Promise<readonly JobRow[]> =>
  db.any(sql.type(JobRow)`${leased(claim, sql.fragment`select id from (${firstOfNoLane(claim)}) f`)}`)

const timeOf = ({ now }: Claim): FragmentSqlToken => sql.fragment`${now.toISOString()}::timestamptz`

const dueOf = (claim: Claim): FragmentSqlToken => sql.fragment`greatest(${timeOf(claim)}, now())`

const firstOfNoLane = (claim: Claim): FragmentSqlToken => sql.fragment`
  select id, run_at from jobs where state = 'queued' and lane is null and run_at <= ${dueOf(claim)}
  order by run_at, id limit ${claim.limit} for update skip locked`

const leased = (claim: Claim, ids: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  update jobs set state = 'running', attempt = attempt + 1, leased_by = ${claim.worker},
    leased_until = ${timeOf(claim)} + make_interval(secs => ${claim.leaseSeconds})
  where id = any(array(${ids}))
  returning ${jobColumns}`
