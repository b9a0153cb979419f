import { z } from 'zod'
import { isHeld } from '#db/machines/locks.ts'
import { lostReasons } from '#domain/lost-reason.ts'
import { runModes } from '#domain/run-status.ts'
import { type FragmentSqlToken, type Reader, sql } from '../sql.ts'
import { isThere, type Sight } from '../visibility.ts'

/** `total`: of all that there are, in every row. */
const counted = { total: z.number() }

const FailedStack = z.object({
  stack_id: z.string(),
  stack_key: z.string(),
  repo: z.string(),
  run_id: z.string(),
  pr_number: z.number().nullable(),
  failed_at: z.date(),
  ...counted,
})

/** A stack that an apply failed on, and whose lock it keeps. */
export type FailedStack = z.infer<typeof FailedStack>

const UnknownStack = FailedStack.omit({ failed_at: true }).extend({
  unknown_reason: z.enum(lostReasons).nullable(),
  unknown_since: z.date().nullable(),
})

/** A stack that an apply may have changed, and nobody saw how. */
export type UnknownStack = z.infer<typeof UnknownStack>

/** Held locks `l` that the caller sees, each with what its run did there as `x`: they are few where rows of runs are many. */
const heldBy = (sight: Sight): FragmentSqlToken => sql.fragment`
  from locks l
  cross join lateral (
    select stack_id, run_id, key, status, lost, finished_at from run_stacks
    where installation_id = l.installation_id and run_id = l.run_id and stack_id = l.stack_id limit 1) x
  join repositories p on p.id = l.repo_id
  where ${isHeld(sql.fragment`l`)} and ${isThere(sight, sql.fragment`l.repo_id`)} and x.finished_at is not null`

/** Stacks whose lock is held by an apply that failed there, the newest first; orphaned locks are a matter of their own. */
export const failedStacks = (db: Reader, sight: Sight, limit: number): Promise<readonly FailedStack[]> =>
  db.any(sql.type(FailedStack)`
    select x.stack_id, x.key as stack_key, p.full_name as repo, x.run_id, l.pr_number, x.finished_at as failed_at,
      count(*) over () as total
    ${heldBy(sight)} and x.status = 'failed' and l.state <> 'held.orphaned'
    order by x.finished_at desc, x.stack_id limit ${limit}`)

/**
 * Stacks whose lock remembers an apply that ended unseen, unless another is under way, the longest first: a release says that
 * somebody has looked.
 */
export const unknownStacks = (db: Reader, sight: Sight, limit: number): Promise<readonly UnknownStack[]> =>
  db.any(sql.type(UnknownStack)`
    select x.stack_id, x.key as stack_key, p.full_name as repo, x.run_id, l.pr_number,
      x.lost as unknown_reason, x.finished_at as unknown_since, count(*) over () as total
    ${heldBy(sight)} and (l.snapshot->'context'->>'unknown')::bool
    order by x.finished_at, x.stack_id limit ${limit}`)

const RefusedDispatch = z.object({
  id: z.string(),
  run_id: z.string(),
  repo: z.string(),
  pr_number: z.number().nullable(),
  mode: z.enum(runModes),
  wave: z.number(),
  part: z.number(),
  stacks: z.number(),
  refusals: z.number(),
  message: z.string(),
  created_at: z.date(),
  gives_up_at: z.date().nullable(),
  ...counted,
})

/** A dispatch that the code host refused, and that is tried again. */
export type RefusedDispatch = z.infer<typeof RefusedDispatch>

/** Dispatches that were refused and not taken since, the oldest first. One that is being tried again is among them. */
export const refusedDispatches = (db: Reader, sight: Sight, limit: number): Promise<readonly RefusedDispatch[]> =>
  db.any(sql.type(RefusedDispatch)`
    select d.*, t.due_at as gives_up_at from (
      select d.installation_id, d.id, d.run_id, p.full_name as repo, r.pr_number, r.mode, d.wave, d.part, cardinality(d.stack_ids) as stacks,
        (d.snapshot->'context'->>'refusals')::int4 as refusals, d.snapshot->'context'->>'message' as message, d.created_at,
        count(*) over () as total
      from dispatches d
      cross join lateral (select repo_id, pr_number, mode from runs where installation_id = d.installation_id and id = d.run_id limit 1) r
      join repositories p on p.id = r.repo_id
      where d.state in ('requested', 'refused') and (d.snapshot->'context'->>'refusals')::int4 > 0
        and ${isThere(sight, sql.fragment`r.repo_id`)}
      order by d.created_at, d.id limit ${limit}) d
    left join timers t on t.installation_id = d.installation_id and t.kind = 'dispatch' and t.id = d.id::text and t.name = 'deadline'
    order by d.created_at, d.id`)
