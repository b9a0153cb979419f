import { DatabaseError } from 'pg'
import { JobRow } from './jobs.ts'
import type { Statement } from './statement.ts'

/** Where rows are read from: the session of a worker. */
export type RowSource = { rows<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]> }

/** How many rows of one installation a worker may have, and how many it has. */
export type Share = { most: number; held: ReadonlyMap<number, number> }

type Claim = { worker: string; limit: number; leaseSeconds: number; now: Date; share?: Share }

/** Simultaneous claims of one lane collide at its unique index; the refused ones try again, and see the lane busy. */
const looks = 3

/**
 * Takes up to `limit` due rows, earliest first, and leases them: at most one of each lane, none of a busy lane. Processes take
 * different rows at the same time: each skips the rows that another is about to take.
 */
export const claimJobs = async (session: RowSource, claim: Claim): Promise<JobRow[]> => {
  for (let look = 1; ; look++) {
    try {
      return inOrder(await session.rows(takeDue, valuesOf(claim)))
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
export const claimFreeJobs = async (session: RowSource, claim: Claim): Promise<JobRow[]> =>
  inOrder(await session.rows(takeFree, valuesOf(claim)))

/** As they were queued: an update returns its rows in whatever order it finds them. */
const inOrder = (rows: JobRow[]): JobRow[] => rows.sort((a, b) => a.id - b.id)

const isDuplicate = (error: unknown): boolean => error instanceof DatabaseError && error.code === '23505'

/** In the order of the statements' parameter numbers. */
const valuesOf = ({ now, limit, worker, leaseSeconds, share }: Claim): unknown[] => [
  now.toISOString(),
  limit,
  worker,
  leaseSeconds,
  share?.most ?? limit,
  JSON.stringify(Object.fromEntries(share?.held ?? [])),
]

/**
 * The later of the worker's time and the database's: rows are stamped by the database, a worker that is behind would skip the
 * row it was just woken for, and its leases would be short.
 */
const due = 'greatest($1::timestamptz, now())'

/** How many rows of an installation a claim may take; the rows of nobody have no such limit. */
const roomOf = (id: string): string =>
  `(case when ${id} = 0 then $2::int else least($2::int, greatest(0, $5::int - coalesce(($6::jsonb ->> ${id}::text)::int, 0))) end)`

/**
 * The first rows without a lane of each installation, walked as the lanes are (see below): 10,000 rows of one hide none of
 * another.
 */
const firstOfNoLane = `
    parties(id) as (
      (select installation_id from jobs where state = 'queued' and lane is null order by installation_id limit 1)
      union all
      select (select j.installation_id from jobs j where j.state = 'queued' and j.lane is null and j.installation_id > p.id
        order by j.installation_id limit 1)
      from parties p where p.id is not null
    ), of_no_lane as (
      select f.id, f.run_at, f.priority, p.id as installation_id from parties p cross join lateral (
        select id, run_at, priority from jobs
        where state = 'queued' and lane is null and installation_id = p.id and run_at <= ${due}
        order by run_at, id limit ${roomOf('p.id')} for update skip locked) f
      where p.id is not null
    )`

/** The most urgent and earliest rows, the first of each installation before the second of any. */
const inTurn = (rows: string): string => `
  select id from (
    select id, run_at, installation_id,
      row_number() over (partition by installation_id order by priority, run_at, id) as place
    from ${rows}) r
  where place <= ${roomOf('installation_id')} order by place, run_at, id limit $2`

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
  text: `with recursive ${firstOfNoLane} ${leased(inTurn('of_no_lane'))}`,
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
      select h.*, row_number() over (partition by h.installation_id order by h.priority, h.run_at, h.id) as place
      from lanes l cross join lateral (
        select id, run_at, priority, installation_id from jobs
        where state = 'queued' and lane = l.lane and run_at <= ${due}
        order by priority, run_at, id limit 1) h
      where not exists (select 1 from jobs r where r.installation_id = h.installation_id and r.state = 'running' and r.lane = l.lane)
    ), of_lanes as (
      select j.id, j.run_at, j.priority, j.installation_id from heads h join jobs j on j.id = h.id and j.state = 'queued'
      where h.place <= ${roomOf('h.installation_id')}
      order by h.place, h.run_at, h.id limit $2 for update of j skip locked
    ), ${firstOfNoLane}
    ${leased(inTurn('(select * from of_lanes union all select * from of_no_lane) e'))}`,
}
