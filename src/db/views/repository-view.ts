import { z } from 'zod'
import { isHeld } from '#db/machines/locks.ts'
import { type Reader, sql } from '../sql.ts'
import { isVisible, type Sight } from '../visibility.ts'

const RepositoryView = z.object({
  id: z.number(),
  full_name: z.string(),
  default_branch: z.string(),
  stacks: z.number(),
  drifted: z.number(),
  locks_held: z.number(),
  last_run_at: z.date().nullable(),
})

/** A repository with its counts; these are taken only for the rows of one page. */
export type RepositoryView = z.infer<typeof RepositoryView>

const seen = (sight: Sight) => sql.fragment`
  repositories r join installations i on i.id = r.installation_id
  where r.removed_at is null and i.removed_at is null and ${isVisible(sight, sql.fragment`r.id`)}`

/** Drifted stacks that are listed, checked against the small index of unlisted ones, and held locks, of a repository `r`. */
const counts = sql.fragment`
  (select count(*) from drift_states d
    where d.installation_id = r.installation_id and d.repo_id = r.id and d.drifted
      and not exists (select from stacks s where s.installation_id = d.installation_id and s.id = d.stack_id and not s.listed)) as drifted,
  (select count(*) from locks l where l.installation_id = r.installation_id and l.repo_id = r.id and ${isHeld(sql.fragment`l`)}) as locks_held`

/** The repositories that a caller sees, by full name in code-point order. */
export const listRepositoryViews = (
  db: Reader,
  { sight, after, limit }: { sight: Sight; after: { name: string; id: number } | undefined; limit: number },
): Promise<readonly RepositoryView[]> =>
  db.any(sql.type(RepositoryView)`
    select r.id, r.full_name, r.default_branch, r.stack_count as stacks, ${counts},
      (select created_at from runs where installation_id = r.installation_id and repo_id = r.id order by created_at desc, id desc limit 1) as last_run_at
    from (
      select r.installation_id, r.id, r.full_name, r.default_branch, r.stack_count from ${seen(sight)}
        ${after ? sql.fragment`and (r.full_name collate "C", r.id) > (${after.name}, ${after.id})` : sql.fragment``}
      order by r.full_name collate "C", r.id limit ${limit}) r
    order by r.full_name collate "C", r.id`)

const CountedRow = z.object({ n: z.number() })

export const countRepositories = async (db: Reader, sight: Sight): Promise<number> =>
  (await db.one(sql.type(CountedRow)`select count(*) as n from ${seen(sight)}`)).n

const Totals = z.object({
  repos: z.number(),
  stacks: z.number(),
  drifted: z.number(),
  locks_held: z.number(),
  runs_by_status: z.record(z.string(), z.number()),
  stacks_by_status: z.record(z.string(), z.number()),
})

/** Sums over all that a caller sees, from counts that transitions keep. A stack's status is that of its row in its newest run. */
export const sumRepositories = (db: Reader, sight: Sight): Promise<z.infer<typeof Totals>> =>
  db.one(sql.type(Totals)`
    with r as materialized (select r.installation_id, r.id, r.stack_count from ${seen(sight)})
    select count(*) as repos, coalesce(sum(c.stacks), 0)::int8 as stacks, coalesce(sum(c.drifted), 0)::int8 as drifted,
      coalesce(sum(c.locks_held), 0)::int8 as locks_held,
      (select coalesce(jsonb_object_agg(status, n), '{}') from (
        select c.status, sum(c.runs) as n from r
        cross join lateral (
          select status, runs from run_counts where installation_id = r.installation_id and repo_id = r.id
          union all select status, change from run_count_changes where installation_id = r.installation_id and repo_id = r.id) c
        group by c.status having sum(c.runs) > 0) n) as runs_by_status,
      (select coalesce(jsonb_object_agg(status, n), '{}') from (
        select c.status, sum(c.stacks) as n from r
        cross join lateral (
          select status, stacks from stack_counts where installation_id = r.installation_id and repo_id = r.id
          union all select status, change from stack_count_changes where installation_id = r.installation_id and repo_id = r.id) c
        group by c.status having sum(c.stacks) > 0) n) as stacks_by_status
    from (select r.stack_count as stacks, ${counts} from r) c`)
