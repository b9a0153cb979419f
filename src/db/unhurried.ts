import { sql } from './sql.ts'

/**
 * Makes the commit of its statement one that does not wait for the disk: `with ${unhurried} … from unhurried`. Others see it at once, and
 * it is lost only by a crash of the database itself within some 600 ms, unless a commit that came later has reached the disk, which takes
 * all before it along. For what may be lost together with all that came after it.
 */
export const unhurried = sql.fragment`unhurried as materialized (select set_config('synchronous_commit', 'off', true))`
