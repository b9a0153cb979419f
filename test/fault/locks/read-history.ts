import { z } from 'zod'
import { type Pool, sql } from '#db/sql.ts'
import { query } from '#dev/own-database.ts'
import { acquisitions, brokenHistory, type LockEntry, overlappingWork, type Work } from './history.ts'

const LockRow = z.object({
  lock: z.string(),
  seq: z.number(),
  entry: z.number(),
  at: z.date(),
  event: z.looseObject({
    type: z.string(),
    run_id: z.string().optional(),
    pr_number: z.number().optional(),
    fence: z.number().optional(),
    actor: z.string().optional(),
  }),
  from: z.string().nullable(),
  to: z.string(),
})

const WorkRow = z.object({ lock: z.string(), run: z.string(), begun: z.date(), ended: z.date().nullable() })
const FenceRow = z.object({ lock: z.string(), fence: z.number() })

/**
 * Has Postgres look for circles after 50 ms, in sessions that begin from now on. By itself it does after a second: by then the brief
 * attempts of the service, of 250 ms, have given up, and their circle was never seen.
 */
export const lookForCircles = async (url: string): Promise<void> => {
  const name = new URL(url).pathname.slice(1)
  await query(url, `alter database "${name}" set deadlock_timeout = '50ms'`)
}

/** How often Postgres had to end a circle of transactions that waited for each other: one order of locks leaves none. */
export const deadlocks = async (pool: Pool): Promise<number> => {
  // a session tells its counts when it is idle, and at most once a second unless asked to
  await pool.query(sql.unsafe`select pg_stat_force_next_flush()`)
  return pool.oneFirst(sql.type(z.object({ deadlocks: z.number() }))`
    select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()`)
}

export type HistoryReport = { locks: number; entries: number; taken: number; broken: string[] }

/** Reads the journal of every lock, and of every stack that was applied, and says what is wrong. */
export const checkJournal = async (pool: Pool): Promise<HistoryReport> => {
  const locks = await pool.any(sql.type(FenceRow)`select stack_id as lock, fence::int as fence from locks order by 1`)
  const report: HistoryReport = { locks: locks.length, entries: 0, taken: 0, broken: [] }
  for (const { lock, fence } of locks) {
    const entries = await entriesOf(pool, lock)
    const work = await workOn(pool, lock)
    const taken = acquisitions(entries)
    report.entries += entries.length
    report.taken += taken
    report.broken.push(...brokenHistory(entries, work), ...overlappingWork(entries, work))
    if (taken !== fence) report.broken.push(`lock ${lock} was taken ${taken} times, and its fence is ${fence}`)
  }
  return report
}

const entriesOf = async (pool: Pool, lock: string): Promise<readonly LockEntry[]> =>
  pool.any(sql.type(LockRow)`
    select stack_id as lock, seq, entry, at, event, state_from as "from", state_to as "to" from lock_journal
    where stack_id = ${lock} order by seq`)

/** When each run began with a stack, and when its row settled. */
const workOn = async (pool: Pool, lock: string): Promise<Work[]> => {
  const rows = await pool.any(sql.type(WorkRow)`
    select ${lock} as lock, b.run_id as run, b.at as begun, (
        select min(e.at) from journal e
        where e.run_id = b.run_id and e.subject_id = b.subject_id and e.seq > b.seq and e.state_from = 'applying'
      ) as ended
    from run_stacks s join journal b on b.run_id = s.run_id and b.subject_id = s.stack_id and b.state_to = 'applying'
    where s.stack_id = ${lock} and s.mode = 'apply' and b.state_from is distinct from 'applying'
    order by b.at`)
  return rows.map(({ ended, ...row }) => ({ ...row, ended: ended ?? undefined }))
}
