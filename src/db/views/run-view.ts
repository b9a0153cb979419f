import { z } from 'zod'
import { type Reader, sql } from '../sql.ts'

const RunView = z.object({
  id: z.string(),
  repo_id: z.number(),
  repo: z.string(),
  owner: z.string(),
  name: z.string(),
  installation_id: z.number(),
  sha: z.string(),
  base_sha: z.string().nullable(),
  graph_id: z.string().nullable(),
  pr_number: z.number().nullable(),
  trigger: z.string(),
  mode: z.enum(['plan', 'apply', 'drift']),
  status: z.string(),
  requested_by: z.string(),
  created_at: z.date(),
  started_at: z.date().nullable(),
  finished_at: z.date().nullable(),
  waves: z.number(),
  current_wave: z.number(),
  warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })),
  failure: z.object({ reason: z.string(), cycles: z.array(z.string()).optional() }).nullable(),
  /** The newest run of its mode of its pull request: one of those that the comment shows. */
  is_newest: z.boolean(),
})

/** A run as it is shown; never the snapshot, which lists would drag along. */
export type RunView = z.infer<typeof RunView>

const columns = sql.fragment`
  r.id, r.repo_id, p.full_name as repo, p.owner, p.name, p.installation_id, r.sha, r.base_sha, r.graph_id, r.pr_number,
  r.trigger, r.mode, r.status, r.requested_by, r.created_at, r.started_at, r.finished_at, r.waves, r.current_wave,
  r.warnings, r.failure,
  not exists (
    select 1 from runs n where n.repo_id = r.repo_id and n.pr_number = r.pr_number and n.mode = r.mode
      and (n.created_at, n.id) > (r.created_at, r.id)) as is_newest`

const from = sql.fragment`from runs r join repositories p on p.id = r.repo_id`

export const findRunView = async (db: Reader, id: string): Promise<RunView | undefined> =>
  (await db.maybeOne(sql.type(RunView)`select ${columns} ${from} where r.id = ${id}`)) ?? undefined

/** The newest run of a mode of a pull request. */
export const findNewestRunView = async (
  db: Reader,
  repoId: number,
  prNumber: number,
  mode: 'plan' | 'apply',
): Promise<RunView | undefined> =>
  (await db.maybeOne(sql.type(RunView)`
    select ${columns} ${from} where r.repo_id = ${repoId} and r.pr_number = ${prNumber} and r.mode = ${mode}
    order by r.created_at desc, r.id desc limit 1`)) ?? undefined
