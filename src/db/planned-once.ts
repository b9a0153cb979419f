import { sql } from './sql.ts'

/**
 * Statements of the rest of the transaction are planned once a connection, and not for the values of each: theirs are keys and
 * arrays, for which the plan is always the same, and planning them took as long as running them. They are made to go by
 * indexes: a plan from when a table had a page was still used when an upload had just brought it 6,000 rows, and a look-up of a thousand of them
 * took 134 ms, not 1.5. Columns of a statement that goes first, since it costs none of its own; lists with optional filters, for which
 * Postgres may make a plan each time, lock no run. As queries of their own, or both would be set for each row: a fourth of the time
 * that 32 runs take.
 */
export const plannedOnce = sql.fragment`(select set_config('plan_cache_mode', 'force_generic_plan', true)) as planned_once,
  (select set_config('enable_seqscan', 'off', true)) as by_index`
