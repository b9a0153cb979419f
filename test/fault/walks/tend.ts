import { type Pool, sql } from '#db/sql.ts'

const tables = [
  'jobs',
  'pull_requests',
  'check_runs',
  'results',
  'audit',
  'timers',
  'runs',
  'run_stacks',
  'locks',
  'dispatches',
  'journal',
  'lock_journal',
  'used_tokens',
]

/** What autovacuum does elsewhere: the proofs' server runs without it. */
export const tend = async (pool: Pool): Promise<void> => {
  for (const table of tables) await pool.query(sql.unsafe`vacuum analyze ${sql.identifier([table])}`)
}
