import { z } from 'zod'
import { jobsChannel } from '#db/queue/wake-others.ts'
import { type Pool, sql } from '#db/sql.ts'

/** Makes services look into their queue at once: what a test writes past them is found only within a second. */
export const nudge = async (pool: Pool): Promise<void> => {
  await pool.query(sql.type(z.object({}))`select pg_notify(${jobsChannel}, 'a test')`)
}
