import { z } from 'zod'
import { type Reader, sql } from '../../sql.ts'
import { ofRun } from '../../tenant.ts'

const TimelineEntry = z.object({
  entry: z.number(),
  kind: z.enum(['run', 'stack', 'lock', 'dispatch']),
  id: z.string(),
  /** Of the stack, where it is one's row or lock. */
  key: z.string().nullable(),
  seq: z.number(),
  event: z.looseObject({ type: z.string() }),
  actor: z.string(),
  cause: z.string().nullable(),
  state_from: z.string().nullable(),
  state_to: z.string(),
  at: z.date(),
})

/** A transition of anything of a run. */
export type TimelineEntry = z.infer<typeof TimelineEntry>

const columns = sql.fragment`entry, seq, event, actor, cause, state_from, state_to, at`

/**
 * What happened to a run, its stacks, its dispatches and the locks while it held them, in the order in which it was written:
 * a stretch of two indexes, however much the journals hold. Keys are looked up behind the limit, one by one.
 */
export const timelineOf = (
  db: Reader,
  { runId, after, limit }: { runId: string; after: number; limit: number },
): Promise<readonly TimelineEntry[]> =>
  db.any(sql.type(TimelineEntry)`
    select j.entry, j.kind, case j.kind when 'stack' then j.run_id || ':' || j.subject_id else j.subject_id::text end as id, s.key, j.seq, j.event, j.actor, j.cause, j.state_from, j.state_to, j.at
    from (
      (select installation_id, kind, run_id, subject_id, ${columns} from journal
        where installation_id = ${ofRun(db, runId)} and run_id = ${runId} and entry > ${after} order by entry limit ${limit})
      union all
      (select installation_id, 'lock', run_id, stack_id, ${columns} from lock_journal
        where installation_id = ${ofRun(db, runId)} and run_id = ${runId} and entry > ${after} order by entry limit ${limit})
      order by entry limit ${limit}) j
    left join lateral (
      select key from stacks
      where installation_id = j.installation_id and id = j.subject_id and j.kind in ('stack', 'lock') limit 1) s on true
    order by j.entry`)
