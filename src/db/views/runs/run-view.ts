import { z } from 'zod'
import { openStatuses, runModes, runStatuses, runTriggers } from '#domain/run-status.ts'
import { literals, type Reader, sql } from '../../sql.ts'
import { ofRepository, within } from '../../tenant.ts'
import { isVisible, type Sight } from '../../visibility.ts'

export const ListedRun = z.object({
  id: z.string(),
  repo: z.string(),
  sha: z.string(),
  base_sha: z.string().nullable(),
  pr_number: z.number().nullable(),
  pr_title: z.string().nullable(),
  trigger: z.enum(runTriggers),
  merge_group: z.string().nullable(),
  mode: z.enum(runModes),
  status: z.enum(runStatuses),
  requested_by: z.string(),
  created_at: z.date(),
  started_at: z.date().nullable(),
  finished_at: z.date().nullable(),
  waves: z.number(),
  current_wave: z.number(),
  rerun_of: z.string().nullable(),
  warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })),
})

/** A run as lists show it. */
export type ListedRun = z.infer<typeof ListedRun>

export const RunView = ListedRun.extend({
  repo_id: z.number(),
  owner: z.string(),
  name: z.string(),
  installation_id: z.number(),
  graph_id: z.string().nullable(),
  failure: z.object({ reason: z.string(), cycles: z.array(z.string()).optional() }).nullable(),
  /** Whether it is the newest run of its mode in its pull request: the comment shows those. */
  is_newest: z.boolean(),
})

/** A run as it is shown; never the snapshot, which lists would carry along. */
export type RunView = z.infer<typeof RunView>

/** The columns of a `ListedRun`, of run `r` and its repository `p`. */
export const listed = sql.fragment`
  r.id, p.full_name as repo, r.sha, r.base_sha, r.pr_number, r.trigger, r.merge_group, r.mode, r.status, r.requested_by, r.created_at,
  r.started_at, r.finished_at, r.waves, r.current_wave, r.rerun_of, r.warnings,
  (select title from pull_requests
    where installation_id = r.installation_id and repo_id = r.repo_id and number = r.pr_number) as pr_title`

export const runColumns = sql.fragment`
  ${listed}, r.repo_id, p.owner, p.name, r.installation_id, r.graph_id, r.failure,
  not exists (
    select 1 from runs n where n.installation_id = r.installation_id and n.repo_id = r.repo_id and n.pr_number = r.pr_number
      and n.mode = r.mode
      and (n.created_at, n.id) > (r.created_at, r.id)) as is_newest`

export const fromRuns = sql.fragment`from runs r join repositories p on p.id = r.repo_id`

export const findRunView = async (db: Reader, id: string): Promise<RunView | undefined> =>
  (await db.maybeOne(sql.type(RunView)`
    select ${runColumns} ${fromRuns} where ${within(db, sql.fragment`r`)} and r.id = ${id}`)) ?? undefined

/** The newest run of a mode in a pull request. */
export const findNewestRunView = async (
  db: Reader,
  repoId: number,
  prNumber: number,
  mode: 'plan' | 'apply',
): Promise<RunView | undefined> =>
  (await db.maybeOne(sql.type(RunView)`
    select ${runColumns} ${fromRuns}
    where r.installation_id = ${ofRepository(db, repoId)} and r.repo_id = ${repoId} and r.pr_number = ${prNumber} and r.mode = ${mode}
    order by r.created_at desc, r.id desc limit 1`)) ?? undefined

/** The runs of a list `i` of ids and whose they are; one by one, since with `limit 500` Postgres may prefer a join that walks over all runs. */
export const whole = sql.fragment`
  cross join lateral (
    select * from runs where installation_id = i.installation_id and id = i.id limit 1) r join repositories p on p.id = r.repo_id`

const OpenRun = ListedRun.extend({ total: z.number() })

/** The newest runs that are not over, of all that a caller sees; `total`: of all such runs, in every row. */
export const openRuns = (db: Reader, sight: Sight, limit: number): Promise<readonly z.infer<typeof OpenRun>[]> =>
  db.any(sql.type(OpenRun)`
    select ${listed}, i.total
    from (
      select v.installation_id, o.id, count(*) over () as total
      from repositories v join installations i on i.id = v.installation_id cross join lateral (
        select id, created_at from runs
        where installation_id = v.installation_id and repo_id = v.id and status in ${literals(openStatuses)}) o
      where v.removed_at is null and i.removed_at is null and ${isVisible(sight, sql.fragment`v.id`)}
      order by o.created_at desc, o.id desc limit ${limit}) i
    ${whole}
    order by r.created_at desc, r.id desc`)
