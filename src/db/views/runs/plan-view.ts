import { z } from 'zod'
import { listed } from '#db/machines/stack-snapshot.ts'
import { PlannedStack } from '#db/runs/planned-stack.ts'
import { changedByApplyStatuses, openPlanStatuses, runStatuses, stackStatuses } from '#domain/run-status.ts'
import { runStackPath } from '../../machines/run-stack-path.ts'
import { isoText } from '../../moment.ts'
import { literals, type Reader, sql } from '../../sql.ts'
import { ofRepository } from '../../tenant.ts'

const PlanRun = z.object({
  id: z.string(),
  sha: z.string(),
  base_sha: z.string().nullable(),
  graph_id: z.string().nullable(),
  status: z.enum(runStatuses),
  failure: z.object({ reason: z.string() }).nullable(),
})

const PlanStack = PlannedStack.extend({
  run_id: z.string(),
  stack_id: z.string(),
  status: z.enum(stackStatuses),
  finished_at: z.date().nullable(),
  /** An apply by another plan that changed the stack after it was planned here. */
  overtaken: z.object({ run_id: z.string(), pr_number: z.number().nullable() }).nullable(),
  checks: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['pass', 'fail', 'warn']),
      summary: z.string().nullable(),
      details_url: z.string().nullable(),
      updated_at: z.string(),
      run_id: z.string(),
    }),
  ),
})

/** A stack as last planned, with its verdicts; `run_id` is the plan run it comes from. */
export type PlanStack = z.infer<typeof PlanStack>

/** The newest plan of a pull request, whatever its commit. `status` is the least settled status of its runs. */
export type PlanView = z.infer<typeof PlanRun> & { stacks: PlanStack[] }

/** Reads only the last few applies of a stack: its lock lets one change it at a time, so they end in the order they began. */
const overtaken = sql.fragment`(
        select jsonb_build_object('run_id', o.run_id, 'pr_number', q.pr_number)
        from (
          select run_id, plan_run_id, status, finished_at from run_stacks
          where installation_id = s.installation_id and stack_id = s.stack_id and mode = 'apply'
          order by created_at desc, run_id desc limit 10) o
        join runs q on q.installation_id = s.installation_id and q.id = o.run_id
        where o.plan_run_id is distinct from s.run_id and o.finished_at > s.finished_at
          and o.status in ${literals(changedByApplyStatuses)}
        order by o.finished_at desc limit 1)`

const PlanRunCreatedAtRow = PlanRun.extend({ created_at: z.date() })

const StatusRow = z.object({ status: z.enum(runStatuses) })

/**
 * The current plan of a pull request: the newest run that planned everything affected, and over it, stack by stack, the later
 * runs on the same commit (by comment, and re-runs). Those may cover only a few stacks, for example a re-run of a plan asked
 * for by comment. A failed check keeps failing until it is made again, as later runs do not repeat all checks of a pull
 * request's jobs. Undefined before the first, and once it is archived: nothing is applied by a plan that old.
 */
export const findPlanView = async (db: Reader, repoId: number, prNumber: number): Promise<PlanView | undefined> => {
  const owner = ofRepository(db, repoId)
  const whole = await db.maybeOne(sql.type(PlanRunCreatedAtRow)`
    select id, sha, base_sha, graph_id, status, failure, created_at from runs
    where installation_id = ${owner} and repo_id = ${repoId} and pr_number = ${prNumber} and mode = 'plan' and trigger = 'pull_request'
      and not exists (select from archived_runs a where a.installation_id = runs.installation_id and a.run_id = runs.id)
    order by created_at desc, id desc limit 1`)
  if (!whole) return undefined
  const { created_at: since, ...run } = whole
  const runs = sql.fragment`
    select installation_id, id, status, created_at from runs
    where installation_id = ${owner} and repo_id = ${repoId} and pr_number = ${prNumber} and mode = 'plan' and sha = ${run.sha}
      and (created_at, id) >= (${since.toISOString()}, ${run.id})`
  const open = await db.anyFirst(sql.type(StatusRow)`
    select status from (${runs}) r where status in ${literals(openPlanStatuses)} order by status limit 1`)
  const stacks = await db.any(sql.type(PlanStack)`
    select distinct on (s.key) s.run_id, s.stack_id, s.key, ${runStackPath(sql.fragment`s`)}, s.instance, s.workspace, s.environment, s.runs_on, s.tool,
      s.tool_version, s.plan_output, s.wave, s.reasons, ${listed(sql.fragment`s.via`)} as via, s.status, s.finished_at,
      coalesce((
        select jsonb_agg(jsonb_build_object('name', v.name, 'status', v.status, 'summary', v.summary,
          'details_url', v.details_url, 'updated_at', ${isoText(sql.fragment`v.updated_at`)},
          'run_id', v.run_id) order by v.name)
        from (
          select distinct on (c.name) c.* from (${runs}) q
          join checks c on c.installation_id = q.installation_id and c.run_id = q.id and c.stack_id = s.stack_id
          order by c.name, q.created_at desc, q.id desc) v
        where v.run_id = s.run_id or v.status = 'fail'), '[]') as checks,
      ${overtaken} as overtaken
    from (${runs}) r join run_stacks s on s.installation_id = r.installation_id and s.run_id = r.id
    order by s.key, r.created_at desc, r.id desc`)
  return { ...run, status: open[0] ?? run.status, stacks: [...stacks] }
}
