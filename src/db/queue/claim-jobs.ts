import { DatabaseError } from 'pg'
import { JobRow } from './jobs.ts'
import type { Statement } from './statement.ts'

/** Where rows are read from: the session of a worker. */
export type RowSource = { rows<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]> }

type Claim = { worker: string; limit: number; leaseSeconds: number; now: Date }

/** Simultaneous claims of one lane collide at its unique index; the refused ones try again, and see the lane busy. */
const looks = 3

/**
 * Takes up to `limit` due rows, earliest first, and leases them: at most one of each lane, none of a busy lane. Processes take
 * different rows at the same time: each skips the rows that another is about to take.
 */
export const claimJobs = async (session: RowSource, claim: Claim): Promise<JobRow[]> => {
  for (let look = 1; ; look++) {
    try {
      return await session.rows(takeDue, valuesOf(claim))
    } catch (error) {
      if (!isDuplicate(error)) throw error
      if (look === looks) return []
    }
  }
}

/**
 * Takes only rows without a lane, in two thirds of the time: this counts when a worker is idle and has just heard of one row.
 * Rows of lanes would wait behind them, so never call this twice in a row.
 */
export const claimFreeJobs = (session: RowSource, claim: Claim): Promise<JobRow[]> =>
  session.rows(takeFree, valuesOf(claim))

const isDuplicate = (error: unknown): boolean => error instanceof DatabaseError && error.code === '23505'

/** In the order of the statements' parameter numbers. */
const valuesOf = ({ now, limit, worker, leaseSeconds }: Claim): unknown[] => [
  now.toISOString(),
  limit,
  worker,
  leaseSeconds,
]

/**
 * The later of the worker's time and the database's: rows are stamped by the database, a worker that is behind would skip the
 * row it was just woken for, and its leases would be short.
 */
const due = 'greatest($1::timestamptz, now())'

const firstOfNoLane = `
  select id, run_at from jobs where state = 'queued' and lane is null and run_at <= ${due}
  order by run_at, id limit $2 for update skip locked`

const columns = Object.keys(JobRow.shape)
  .map((column) => `jobs.${column}`)
  .join(', ')

/** Updated by an array of ids and not by a join, for which the planner reads the whole of a table that is not yet large. */
const leased = (ids: string): string => `
  update jobs set state = 'running', attempt = attempt + 1, leased_by = $3,
    leased_until = ${due} + make_interval(secs => $4)
  where id = any(array(${ids}))
  returning ${columns}`

const takeFree: Statement<JobRow> = {
  name: 'take free jobs',
  row: JobRow,
  text: leased(`select id from (${firstOfNoLane}) f`),
}

/**
 * The lanes with waiting rows are walked at one index probe each (a "loose index scan"), and only the first row of each is
 * read: a lane with 100,000 rows costs as much as a lane with three, and hides no other lane. 30 µs a lane; walking the rows
 * by time took 240 ms with 100,000 of them waiting, at every claim.
 */
const takeDue: Statement<JobRow> = {
  name: 'take due jobs',
  row: JobRow,
  text: `
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
      order by h.run_at, h.id limit $2 for update of j skip locked
    ), of_no_lane as (${firstOfNoLane})
    ${leased('select id from (select * from of_lanes union all select * from of_no_lane) f order by run_at, id limit $2')}`,
}
