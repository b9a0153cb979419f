import { z } from 'zod'
import { isHeld } from '#db/machines/locks.ts'
import { brokenStatuses, stackStatuses } from '#domain/run-status.ts'
import { literals, type Reader, sql } from '../../sql.ts'
import { ofRun, ofRuns } from '../../tenant.ts'

const count = z.number()

const ProgressRow = z.object({
  wave: z.number(),
  status: z.enum(stackStatuses),
  stacks: count,
  started_at: z.date().nullable(),
  finished_at: z.date().nullable(),
})

/** The stacks of one wave that stand alike, counted. */
export type ProgressRow = z.infer<typeof ProgressRow>

const StandingRow = ProgressRow.extend({
  adds: count,
  changes: count,
  destroys: count,
  replaces: count,
  imports: count,
  moves: count,
  output_changes: count,
})

/** The same, with the sums of what their plans or applies say. */
export type StandingRow = z.infer<typeof StandingRow>

const counts = ['adds', 'changes', 'destroys', 'replaces', 'imports', 'moves', 'output_changes'] as const

/** How the stacks of a run stand, by wave and status: one look at its rows, however many there are. */
export const standingRows = (db: Reader, runId: string): Promise<readonly StandingRow[]> =>
  db.any(sql.type(StandingRow)`
    select s.wave, s.status, count(*) as stacks, min(s.started_at) as started_at, max(s.finished_at) as finished_at,
      ${sql.join(
        counts.map((name) => {
          const column = sql.identifier([name])
          return sql.fragment`coalesce(sum(m.${column}), 0)::int8 as ${column}`
        }),
        sql.fragment`, `,
      )}
    from run_stacks s left join results r on r.installation_id = s.installation_id and r.run_id = s.run_id and r.stack_id = s.stack_id
    left join lateral json_to_record(r.body->'summary') as m(adds int8, changes int8, destroys int8, replaces int8,
      imports int8, moves int8, output_changes int8) on true
    where s.installation_id = ${ofRun(db, runId)} and s.run_id = ${runId} group by s.wave, s.status order by s.wave, s.status`)

const ProgressOfRun = ProgressRow.extend({ run_id: z.string() })

/** How far some runs are, by wave and status, without the sums: for a list of runs that are under way. */
export const progressOfRuns = (
  db: Reader,
  runIds: readonly string[],
): Promise<readonly z.infer<typeof ProgressOfRun>[]> =>
  db.any(sql.type(ProgressOfRun)`
    select run_id, wave, status, count(*) as stacks, min(started_at) as started_at, max(finished_at) as finished_at
    from run_stacks where installation_id ${ofRuns(db, runIds)} and run_id = any(${sql.array([...runIds], 'uuid')})
    group by run_id, wave, status order by run_id, wave, status`)

const TroubledStack = z.object({
  key: z.string(),
  status: z.enum(stackStatuses),
  exit_code: z.number().nullable(),
  /** How many it blocks. */
  blocks: z.number(),
  failed_checks: z.array(z.object({ name: z.string(), summary: z.string().nullable() })),
  lock_run_id: z.string().nullable(),
  lock_pr_number: z.number().nullable(),
  /** Of all such stacks of the run, those behind the limit too: how many there are, and what is the matter with any. */
  all_stacks: z.number(),
  check_failed: z.boolean(),
  locked: z.boolean(),
})

/** A stack that somebody has to look at: it went badly, a check of it failed, or another pull request or run holds its lock. */
export type TroubledStack = z.infer<typeof TroubledStack>

/**
 * The first of them, by wave and key. A lock is another's that neither the run holds nor its pull request. Checks and what
 * blocks whom are gathered once for the run, and not stack by stack.
 */
export const troubledStacks = (
  db: Reader,
  { runId, prNumber, limit }: { runId: string; prNumber: number | null; limit: number },
): Promise<readonly TroubledStack[]> =>
  db.any(sql.type(TroubledStack)`
    select s.key, s.status, (r.body->>'exit_code')::int4 as exit_code, coalesce(b.stacks, 0) as blocks,
      coalesce(c.failed, '[]') as failed_checks, l.run_id as lock_run_id, l.pr_number as lock_pr_number,
      count(*) over () as all_stacks, bool_or(c.failed is not null) over () as check_failed,
      bool_or(l.run_id is not null) over () as locked
    from run_stacks s
    left join results r on r.installation_id = s.installation_id and r.run_id = s.run_id and r.stack_id = s.stack_id
    left join (
      select stack_id, jsonb_agg(jsonb_build_object('name', name, 'summary', summary) order by name) as failed
      from checks where installation_id = ${ofRun(db, runId)} and run_id = ${runId}
        and status = 'fail' group by stack_id) c on c.stack_id = s.stack_id
    left join locks l on l.installation_id = s.installation_id and l.stack_id = s.stack_id and ${isHeld(sql.fragment`l`)}
      and l.run_id <> s.run_id
      and (l.pr_number is null or l.pr_number is distinct from ${prNumber}::int4)
    left join (
      select u.key, count(*) as stacks from run_stacks x cross join unnest(x.blocked_by) as u(key)
      where x.installation_id = ${ofRun(db, runId)} and x.run_id = ${runId} and x.status = 'blocked' group by u.key) b on b.key = s.key
    where s.installation_id = ${ofRun(db, runId)} and s.run_id = ${runId}
      and (s.status in ${literals(brokenStatuses)} or c.failed is not null or l.run_id is not null)
    order by s.wave, s.key limit ${limit}`)
