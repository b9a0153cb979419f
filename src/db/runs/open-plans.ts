import { z } from 'zod'
import { openPlanStatuses } from '#domain/run-status.ts'
import { isOutOfSight } from '../out-of-sight.ts'
import { literals, type Reader, sql } from '../sql.ts'
import { ofRepository } from '../tenant.ts'

const OpenPlan = z.object({ id: z.string(), repo_id: z.number(), workflow_run_id: z.number(), created_at: z.date() })

/** A plan run of a pull request that waits for its own workflow run to plan it. */
export type OpenPlan = z.infer<typeof OpenPlan>

const openPlan = sql.fragment`
  select id, repo_id, workflow_run_id, created_at from runs
  where status in ${literals(openPlanStatuses)} and trigger = 'pull_request' and workflow_run_id is not null`

export const openPlansOfWorkflowRun = (
  db: Reader,
  repoId: number,
  workflowRunId: number,
): Promise<readonly OpenPlan[]> =>
  db.any(sql.type(OpenPlan)`
    ${openPlan} and installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId} and workflow_run_id = ${workflowRunId}
    order by id`)

/** Open plans made before a time, oldest first. */
export const openPlansBefore = (db: Reader, before: Date): Promise<readonly OpenPlan[]> =>
  db.any(sql.type(OpenPlan)`${openPlan} and created_at < ${before.toISOString()} order by created_at, id`)

/** Open plans of repositories that the app lost access to before a time, by removal or suspension. */
export const outOfSightPlans = (db: Reader, before: Date): Promise<readonly OpenPlan[]> =>
  db.any(sql.type(OpenPlan)`
    ${openPlan} and ${isOutOfSight(sql.fragment`runs.repo_id`, before)} order by created_at, id`)
