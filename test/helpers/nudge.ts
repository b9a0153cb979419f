import { z } from 'zod'
import { type Pool, sql } from '#db/sql.ts'
import { jobsChannel } from '#db/wake-others.ts'

/** Has services look into their queue at once: what a test writes past them is found within a second only. */
export const nudge = async (pool: Pool): Promise<void> => {
  await pool.query(sql.type(z.object({}))`select pg_notify(${jobsChannel}, 'a test')`)
}
