import { z } from 'zod'
import { isOutOfSight } from '#db/out-of-sight.ts'
import { type FragmentSqlToken, type Reader, sql } from '../sql.ts'
import { ofRepository, ofRun, within } from '../tenant.ts'

const DispatchView = z.object({
  id: z.string(),
  run_id: z.string(),
  wave: z.number(),
  part: z.number(),
  /** How many dispatches the wave was sent in. */
  parts: z.number(),
  stack_ids: z.array(z.string()),
  state: z.string(),
  workflow_run_id: z.number().nullable(),
  workflow_run_attempt: z.number().nullable(),
  refusals: z.number(),
  created_at: z.date(),
  mode: z.enum(['plan', 'apply', 'drift']),
  sha: z.string(),
  repo_id: z.number(),
  /** The repository's current one. */
  default_branch: z.string(),
  installation_id: z.number(),
})

/** A dispatch with what is needed to send it, to find it again and to judge its jobs. */
export type DispatchView = z.infer<typeof DispatchView>

const dispatches = (which: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  select d.id, d.run_id, d.wave, d.part,
    (select count(*)::int4 from dispatches o where o.installation_id = d.installation_id and o.run_id = d.run_id and o.wave = d.wave) as parts,
    d.stack_ids, d.state, d.workflow_run_id, d.workflow_run_attempt,
    (d.snapshot->'context'->>'refusals')::int4 as refusals, d.created_at,
    r.mode, r.sha, r.repo_id, p.default_branch, r.installation_id
  from dispatches d join runs r on r.installation_id = d.installation_id and r.id = d.run_id join repositories p on p.id = r.repo_id
  where ${which}`

export const findDispatch = async (db: Reader, id: string): Promise<DispatchView | undefined> =>
  (await db.maybeOne(
    sql.type(DispatchView)`${dispatches(sql.fragment`${within(db, sql.fragment`d`)} and d.id = ${id}`)}`,
  )) ?? undefined

/** The dispatch of a run that a workflow run is bound to, or that the code host's answer announced it for. */
export const findDispatchOfJob = async (
  db: Reader,
  runId: string,
  workflowRunId: number,
): Promise<DispatchView | undefined> =>
  (await db.maybeOne(sql.type(DispatchView)`
    ${dispatches(sql.fragment`d.installation_id = ${ofRun(db, runId)} and d.run_id = ${runId} and d.workflow_run_id = ${workflowRunId}`)}`)) ??
  undefined

export const findDispatchOfWorkflowRun = async (
  db: Reader,
  repoId: number,
  workflowRunId: number,
): Promise<DispatchView | undefined> =>
  (await db.maybeOne(sql.type(DispatchView)`
    ${dispatches(sql.fragment`
      d.installation_id = ${ofRepository(db, repoId)} and d.workflow_run_id = ${workflowRunId} and r.repo_id = ${repoId}`)}`)) ??
  undefined

/** The dispatch that a workflow run's name gives. */
export const findDispatchNamed = async (
  db: Reader,
  repoId: number,
  name: { runId: string; wave: number; part: number },
): Promise<DispatchView | undefined> =>
  (await db.maybeOne(sql.type(DispatchView)`
    ${dispatches(sql.fragment`
      d.installation_id = ${ofRepository(db, repoId)} and d.run_id = ${name.runId} and d.wave = ${name.wave}
        and d.part = ${name.part} and r.repo_id = ${repoId}`)}`)) ?? undefined

/** Open dispatches made before a time, oldest first. */
export const openDispatches = (db: Reader, before: Date): Promise<readonly DispatchView[]> =>
  db.any(sql.type(DispatchView)`
    ${dispatches(sql.fragment`
      d.state in ('requested', 'refused', 'awaiting', 'bound') and d.created_at < ${before.toISOString()}`)}
    order by d.created_at, d.id`)

/** Dispatches bound to workflow runs that the service cannot read, since the app was removed or suspended before a time. */
export const outOfSightDispatches = (db: Reader, before: Date): Promise<readonly DispatchView[]> =>
  db.any(sql.type(DispatchView)`
    ${dispatches(sql.fragment`d.state = 'bound' and ${isOutOfSight(sql.fragment`p.id`, before)}`)}
    order by d.created_at, d.id`)

const IdRow = z.object({ id: z.string() })

/** Whether a run has a dispatch whose workflow run is not known yet. */
export const hasUnboundDispatch = (db: Reader, runId: string): Promise<boolean> =>
  db.exists(sql.type(IdRow)`
    select id from dispatches where installation_id = ${ofRun(db, runId)} and run_id = ${runId} and workflow_run_id is null`)
