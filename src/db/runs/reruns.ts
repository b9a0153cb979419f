import { z } from 'zod'
import { openApplyStatuses, openPlanStatuses } from '#domain/run-status.ts'
import { runStackPath } from '../machines/run-stack-path.ts'
import { listed } from '../machines/stack-snapshot.ts'
import { literals, type Reader, sql } from '../sql.ts'
import { ofRepository, ofRun } from '../tenant.ts'
import { PlannedStack } from './planned-stack.ts'

/** The stacks of a run as they were scheduled, in the order of waves and keys. */
export const stacksToRerun = (db: Reader, runId: string): Promise<readonly PlannedStack[]> =>
  db.any(sql.type(PlannedStack)`
    select key, ${runStackPath(sql.fragment`run_stacks`)}, instance, workspace, environment, runs_on, tool, tool_version, plan_output,
      wave, reasons, ${listed(sql.fragment`via`)} as via
    from run_stacks where installation_id = ${ofRun(db, runId)} and run_id = ${runId} order by wave, key`)

const OpenRun = z.object({ id: z.string(), mode: z.string() })

/**
 * An open run that would conflict with another plan of the commit: a plan of the same commit, or any apply of the pull
 * request.
 */
export const runUnderWay = async (
  db: Reader,
  of: { repoId: number; prNumber: number | null; sha: string },
): Promise<{ id: string; mode: string } | undefined> =>
  (await db.maybeOne(sql.type(OpenRun)`
    select id, mode from runs
    where installation_id = ${ofRepository(db, of.repoId)} and repo_id = ${of.repoId}
      and pr_number is not distinct from ${of.prNumber}::integer
      and ((mode = 'plan' and sha = ${of.sha} and status in ${literals(openPlanStatuses)})
        or (mode = 'apply' and pr_number is not null and status in ${literals(openApplyStatuses)}))
    order by mode, created_at desc limit 1`)) ?? undefined

const RerequestedRun = z.object({ id: z.string(), pr_number: z.number().nullable() })

/** The plan run meant by a request to re-run checks: the named one, or the newest of the commit. */
export const planToRerun = async (
  db: Reader,
  of: { repoId: number; sha: string; runId: string | undefined },
): Promise<{ id: string; pr_number: number | null } | undefined> =>
  (await db.maybeOne(sql.type(RerequestedRun)`
    select id, pr_number from runs
    where installation_id = ${ofRepository(db, of.repoId)} and repo_id = ${of.repoId} and mode = 'plan' and sha = ${of.sha}
      and (${of.runId ?? null}::uuid is null or id = ${of.runId ?? null}::uuid)
    order by (trigger = 'comment'), created_at desc, id desc limit 1`)) ?? undefined
