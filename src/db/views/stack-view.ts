import { z } from 'zod'
import { isHeld } from '#db/machines/locks.ts'
import { stackRow } from '#db/machines/stack-row.ts'
import { Backend, Tool } from '#domain/graph/graph.ts'
import { Summary } from '#domain/plan-summary.ts'
import { type RunMode, runModes, stackStatuses } from '#domain/run-status.ts'
import { exactly, isoText, type Moment } from '../moment.ts'
import { type Reader, sql } from '../sql.ts'
import { ofRepository, ofStack, within } from '../tenant.ts'
import { isThere, type Sight } from '../visibility.ts'
import { archivedToo, resultArchivedToo } from './archived-too.ts'
import { runStackRef } from './run-stack-ref.ts'

const RunStackRef = z.object({
  run_id: z.string(),
  sha: z.string(),
  pr_number: z.number().nullable(),
  mode: z.enum(runModes),
  status: z.enum(stackStatuses),
  summary: Summary.nullable(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  job_url: z.string().nullable(),
})

/** What a run did with a stack. */
export type RunStackRef = z.infer<typeof RunStackRef>

const Node = z.object({
  path: z.string(),
  instance: z.string().optional(),
  workspace: z.string().optional(),
  environment: z.string().optional(),
  backend: Backend.optional(),
  tool: Tool.optional(),
  tags: z.array(z.string()).optional(),
})

export const StackView = z.object({
  id: z.string(),
  repo_id: z.number(),
  repo: z.string(),
  key: z.string(),
  status: z.enum(stackStatuses).nullable(),
  node: Node.nullable(),
  dependencies: z.array(z.string()),
  dependents: z.array(z.string()),
  last_plan: RunStackRef.nullable(),
  last_apply: RunStackRef.nullable(),
  drift: z
    .object({
      run_id: z.string(),
      checked_at: z.string(),
      drifted: z.boolean(),
      drifted_since: z.string().nullable(),
      summary: Summary.nullable(),
      issue_number: z.number().nullable(),
      issue_url: z.string().nullable(),
    })
    .nullable(),
  lock: z.object({ run_id: z.string(), pr_number: z.number().nullable(), taken_at: z.string() }).nullable(),
})

/** A stack with all that is now known of it. `node` is null until a graph of the default branch has it. */
export type StackView = z.infer<typeof StackView>

/**
 * How a stack `s` stands, as a row `n`; its drift `d`; and what the runs that these name did with it, `k`: by keys, whether or not the run is
 * archived. Looked up one by one, since for a large page Postgres may prefer to walk over all; and the runs' part once for all three: each mention
 * of the history is 15 months that a statement opens before its first row.
 */
export const standing = sql.fragment`
  left join lateral (
    select * from stack_standings where installation_id = s.installation_id and stack_id = s.id limit 1) n on true
  left join lateral (
    select * from drift_states where installation_id = s.installation_id and stack_id = s.id limit 1) d on true
  left join lateral (
    select jsonb_object_agg(w.what, ${runStackRef}) as refs
    from (
      select s.installation_id, s.id as stack_id, o.what, o.run_id from (values
        ('plan', n.plan_run_id), ('apply', n.apply_run_id), ('drift', case when d.drifted then d.run_id end)) o(what, run_id)
      where o.run_id is not null) w
    join runs r on r.installation_id = w.installation_id and r.id = w.run_id
    cross join lateral (${archivedToo(sql.fragment`w`)}) x
    left join lateral (${resultArchivedToo(sql.fragment`w`)}) t on true) k on true
  left join drift_issues i on i.installation_id = d.installation_id and i.stack_id = d.stack_id and d.drifted and p.drift_issues`

/** Of a stack `s` of a repository `p`, with its standing. */
export const stackColumns = sql.fragment`
  s.id, s.repo_id, p.full_name as repo, s.key, s.node, s.dependencies, s.dependents,
  n.status, k.refs->'plan' as last_plan, k.refs->'apply' as last_apply,
  case when d.stack_id is not null then jsonb_build_object('run_id', d.run_id, 'checked_at', ${isoText(sql.fragment`d.checked_at`)},
    'drifted', d.drifted, 'drifted_since', ${isoText(sql.fragment`d.drifted_since`)}, 'summary', k.refs->'drift'->'summary',
    'issue_number', i.number, 'issue_url', i.url) end as drift,
  (select jsonb_build_object('run_id', l.run_id, 'pr_number', l.pr_number, 'taken_at', ${isoText(sql.fragment`l.taken_at`)})
    from locks l where l.installation_id = s.installation_id and l.stack_id = s.id and ${isHeld(sql.fragment`l`)}) as lock`

/** The listed stacks of a repository by key, in code-point order. */
export const listStackViews = (
  db: Reader,
  { repoId, after, limit }: { repoId: number; after: string | undefined; limit: number },
): Promise<readonly StackView[]> =>
  db.any(sql.type(StackView)`
    select ${stackColumns}
    from (
      select installation_id, id from stacks
      where installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId} and listed
        ${after === undefined ? sql.fragment`` : sql.fragment`and key collate "C" > ${after}`}
      order by key collate "C" limit ${limit}) w
    cross join lateral ${stackRow(sql.fragment`w.installation_id`, sql.fragment`w.id`)} s
    join repositories p on p.id = s.repo_id ${standing}
    order by s.key collate "C"`)

/** Any stack, listed or not. */
export const findStackView = async (db: Reader, sight: Sight, id: string): Promise<StackView | undefined> =>
  (await db.maybeOne(sql.type(StackView)`
    select ${stackColumns} from stacks s join repositories p on p.id = s.repo_id ${standing}
    where ${within(db, sql.fragment`s`)} and s.id = ${id} and ${isThere(sight, sql.fragment`s.repo_id`)}`)) ?? undefined

const HistoryRow = z.object({ run_id: z.string(), ref: RunStackRef, at: z.string() })

type HistoryAsked = {
  stackId: string
  /** All of them if undefined. */
  modes?: readonly RunMode[] | undefined
  after: Moment | undefined
  limit: number
}

/** What runs did with a stack, newest first. The newest of each mode are merged: a rare one costs as much as nightly checks. */
export const listStackHistory = (
  db: Reader,
  { stackId, modes = runModes, after, limit }: HistoryAsked,
): Promise<readonly z.infer<typeof HistoryRow>[]> => {
  const page = sql.fragment`
        where x.installation_id = ${ofStack(db, stackId)} and x.stack_id = ${stackId} and x.mode = m.mode
          ${after ? sql.fragment`and (x.created_at, x.run_id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql.fragment``}
        order by x.created_at desc, x.run_id desc limit ${limit}`
  return db.any(sql.type(HistoryRow)`
    select x.run_id, ${runStackRef} as ref, ${exactly(sql.fragment`x.created_at`)} as at
    from (
      select n.* from unnest(${sql.array([...modes], 'text')}) as m(mode)
      cross join lateral (
        -- those of a month that is being archived are in both
        (select x.installation_id, x.run_id, x.stack_id, x.created_at from run_stacks x ${page})
        union (select x.installation_id, x.run_id, x.stack_id, x.created_at from archived_stacks x ${page})
        order by created_at desc, run_id desc limit ${limit}) n) w
    join runs r on r.installation_id = w.installation_id and r.id = w.run_id
    cross join lateral (${archivedToo(sql.fragment`w`)}) x
    left join lateral (${resultArchivedToo(sql.fragment`w`)}) t on true
    order by x.created_at desc, x.run_id desc limit ${limit}`)
}
