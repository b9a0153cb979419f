import { z } from 'zod'
import { QueueRow, queueColumns } from '#db/queue/queue-row.ts'
import { type Reader, sql } from '../sql.ts'

/** Spelled out: with a parameter, Postgres cannot use the indexes of a single state. */
const inState = {
  dead: sql.fragment`state = 'dead'`,
  queued: sql.fragment`state = 'queued'`,
  running: sql.fragment`state = 'running'`,
}

/** Rows in a state, newest first. */
export const queueRows = (
  db: Reader,
  wanted: { state: keyof typeof inState; before: number | undefined; limit: number },
): Promise<readonly QueueRow[]> =>
  db.any(sql.type(QueueRow)`
    select ${queueColumns} from jobs
    where ${inState[wanted.state]}
      ${wanted.before === undefined ? sql.fragment`` : sql.fragment`and id < ${wanted.before}`}
    order by id desc limit ${wanted.limit}`)

const CountedRow = z.object({ n: z.number() })

export const countDead = async (db: Reader): Promise<number> =>
  (await db.one(sql.type(CountedRow)`select count(*) as n from jobs where state = 'dead'`)).n
