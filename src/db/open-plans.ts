import { z } from 'zod'
import { isOutOfSight } from './out-of-sight.ts'
import { type Reader, sql, type Tx } from './sql.ts'

const OpenPlan = z.object({ id: z.string(), repo_id: z.number(), workflow_run_id: z.number() })

/** A plan run of a pull request that waits for its own workflow run to plan it. */
export type OpenPlan = z.infer<typeof OpenPlan>

const openPlan = sql.fragment`
  select id, repo_id, workflow_run_id from runs
  where status in ('pending', 'planning') and trigger = 'pull_request' and workflow_run_id is not null`

export const openPlansOfWorkflowRun = (
  db: Reader,
  repoId: number,
  workflowRunId: number,
): Promise<readonly OpenPlan[]> =>
  db.any(sql.type(OpenPlan)`${openPlan} and repo_id = ${repoId} and workflow_run_id = ${workflowRunId} order by id`)

/** Those that were made before a time, oldest first. */
export const openPlansBefore = (db: Reader, before: Date): Promise<readonly OpenPlan[]> =>
  db.any(sql.type(OpenPlan)`${openPlan} and created_at < ${before.toISOString()} order by created_at, id`)

/** Those of repositories that the app was taken off, or suspended on, before a time. */
export const outOfSightPlans = (db: Reader, before: Date): Promise<readonly OpenPlan[]> =>
  db.any(sql.type(OpenPlan)`
    ${openPlan} and ${isOutOfSight(sql.fragment`runs.repo_id`, before)} order by created_at, id`)

/** Why a run failed before any stack of it was planned. */
export const setFailure = async (tx: Tx, runId: string, reason: string): Promise<void> => {
  await tx.query(sql.type(z.object({}))`
    update runs set failure = ${JSON.stringify({ reason })}::jsonb where id = ${runId}`)
}
