import { z } from 'zod'
import type { RunMode, RunTrigger } from '#domain/run-status.ts'
import { iso } from '../moment.ts'
import { plannedOnce } from '../planned-once.ts'
import { type FragmentSqlToken, jsonRows, nothing, type Reader, sql, type Tx, textOfBytes } from '../sql.ts'
import { ofRepository, ofRun, ofRuns, type Tenant, within } from '../tenant.ts'
import { type SnapshotColumns, snapshotColumns } from './snapshot-columns.ts'

/** A run as the runtime needs it: its machine, and the facts that decide who may change it. */
export const RunRow = z.object({
  id: z.string(),
  repo_id: z.number(),
  installation_id: z.number(),
  pr_number: z.number().nullable(),
  sha: z.string(),
  mode: z.enum(['plan', 'apply', 'drift']),
  trigger: z.string(),
  /** The merge queue's branch, of the plan run of a merge group. */
  merge_group: z.string().nullable(),
  status: z.string(),
  graph_id: z.string().nullable(),
  workflow_run_id: z.number().nullable(),
  workflow_run_attempt: z.number().nullable(),
  upload_digest: z.string().nullable(),
  created_at: z.date(),
  started_at: z.date().nullable(),
  finished_at: z.date().nullable(),
  /** Raised by each save of anything of the run. */
  rev: z.number(),
  ...snapshotColumns,
})
export type RunRow = z.infer<typeof RunRow>

export const runRowColumns = sql.fragment`
  r.id, r.repo_id, r.installation_id, r.pr_number, r.sha, r.mode, r.trigger, r.merge_group, r.status, r.graph_id, r.workflow_run_id,
  r.workflow_run_attempt, r.upload_digest, r.created_at, r.started_at, r.finished_at, r.rev, r.snapshot, r.version, r.seq`

/** Locks runs in the order of their ids, for every caller: so no two transactions wait for each other. */
export const lockRuns = (tx: Tx, ids: string[]): Promise<readonly RunRow[]> =>
  tx.any(sql.type(RunRow)`
    select ${runRowColumns}, ${plannedOnce} from runs r
    where ${within(tx, sql.fragment`r`)} and r.id = any(${sql.array(ids, 'uuid')}) order by r.id for no key update`)

export const findRun = async (db: Reader, id: string): Promise<RunRow | undefined> =>
  (await db.maybeOne(sql.type(RunRow)`
    select ${runRowColumns} from runs r where ${within(db, sql.fragment`r`)} and r.id = ${id}`)) ?? undefined

const PlanRow = z.object({
  id: z.string(),
  sha: z.string(),
  trigger: z.string(),
  status: z.string(),
  workflow_run_id: z.number().nullable(),
  workflow_run_attempt: z.number().nullable(),
  created_at: z.date(),
})

/** A plan run of a pull request, with what a job needs to find its own. */
export type PlanRow = z.infer<typeof PlanRow>

/** The plan runs of a pull request, newest first. Superseded ones too, since they refuse their late jobs. */
export const plansOfPullRequest = (db: Reader, repoId: number, number: number): Promise<readonly PlanRow[]> =>
  db.any(sql.type(PlanRow)`
    select r.id, r.sha, r.trigger, r.status, r.workflow_run_id, r.workflow_run_attempt, r.created_at
    from runs r where r.installation_id = ${ofRepository(db, repoId)} and r.repo_id = ${repoId} and r.pr_number = ${number}
      and r.mode = 'plan'
    order by r.created_at desc, r.id desc`)

const NewestRow = z.object({ newest: z.date().nullable() })

/**
 * The creation time of a run made now: after the newest of its pull request, whatever this instance's clock says, since the
 * comment shows the newest. The pull request's row must be locked.
 */
export const timeOfNextRun = async (tx: Tx, repoId: number, prNumber: number | null, now: Date): Promise<Date> => {
  const { newest } = await tx.one(sql.type(NewestRow)`
    select max(created_at) as newest from runs where installation_id = ${ofRepository(tx, repoId)} and repo_id = ${repoId}
      and pr_number = ${prNumber}::integer`)
  return new Date(Math.max(+now, +(newest ?? 0) + 1))
}

export type NewRun = SnapshotColumns & {
  id: string
  repo_id: number
  pr_number: number | null
  sha: string
  base_sha: string | null
  mode: RunMode
  trigger: RunTrigger
  merge_group?: string | undefined
  requested_by: string
  workflow_run_id: number | null
  workflow_run_attempt: number | null
  /** The graph that the run uses, if it is known from the start. */
  graph_id?: string
  /** The run whose stacks it plans again. */
  rerun_of?: string | undefined
  status: string
  created_at: Date
}

export const addRun = async (tx: Tx, run: NewRun): Promise<void> => {
  const owner = ofRepository(tx, run.repo_id)
  await tx.query(sql.type(nothing)`
    with counted as (
      insert into run_count_changes (installation_id, repo_id, status, change)
      values (${owner}, ${run.repo_id}, ${run.status}, 1))
    insert into runs (installation_id, id, repo_id, pr_number, sha, base_sha, mode, trigger, merge_group, requested_by, workflow_run_id,
      workflow_run_attempt, graph_id, rerun_of, status, snapshot, version, seq, created_at)
    values (${owner}, ${run.id}, ${run.repo_id}, ${run.pr_number}, ${run.sha}, ${run.base_sha}, ${run.mode}, ${run.trigger},
      ${run.merge_group ?? null}, ${run.requested_by}, ${run.workflow_run_id}, ${run.workflow_run_attempt}, ${run.graph_id ?? null}, ${run.rerun_of ?? null},
      ${run.status},
      ${JSON.stringify(run.snapshot)}::jsonb, ${run.version}, ${run.seq}, ${iso(run.created_at)})`)
}

/**
 * A new workflow run found its run unfinished: from now on, it is the one that may upload the graph. Its upload starts the
 * stacks over, even if it equals the one before: the earlier jobs are gone.
 */
export const rebindRun = async (tx: Tx, id: string, workflowRunId: number, attempt: number): Promise<void> => {
  await tx.query(sql.type(nothing)`
    update runs set workflow_run_id = ${workflowRunId}, workflow_run_attempt = ${attempt}, upload_digest = null
    where ${within(tx, sql.fragment`runs`)} and id = ${id}`)
}

export type RunChange = SnapshotColumns & {
  id: string
  status: string
  waves: number
  current_wave: number
  started_at: Date | null
  finished_at: Date | null
  rev: number
}

/** What transitions changed in runs, as a part of the statement that stores a batch (store-transitions.ts). */
export const runsChanged = (runs: RunChange[], { installationId }: Tenant): FragmentSqlToken => sql.fragment`
    update runs set status = t.status, waves = t.waves, current_wave = t.current_wave, snapshot = t.snapshot,
      version = t.version, seq = t.seq, started_at = t.started_at, finished_at = t.finished_at, rev = t.rev
    from jsonb_to_recordset(${jsonRows(runs)}) as t(id uuid, status text, waves int4, current_wave int4, snapshot jsonb,
      version int4, seq int4, started_at timestamptz, finished_at timestamptz, rev int4)
    where runs.installation_id = ${installationId} and runs.id = t.id`

/** Adds warnings to runs: `{code, message, at, …}` each. */
export const addWarnings = async (tx: Tx, warnings: { runId: string; warning: object }[]): Promise<void> => {
  if (warnings.length === 0) return
  await tx.query(sql.type(nothing)`
    update runs set warnings = runs.warnings || t.warnings, rev = runs.rev + 1
    from (select run_id, jsonb_agg(warning) as warnings from ${sql.unnest(
      warnings.map(({ runId, warning }) => [runId, JSON.stringify(warning)]),
      ['uuid', 'jsonb'],
    )} as u(run_id, warning) group by run_id) t
    where runs.installation_id ${ofRuns(
      tx,
      warnings.map(({ runId }) => runId),
    )} and runs.id = t.run_id`)
}

const StackRow = z.object({ stack: z.string() })

/** Removes the warning with a code from a locked run, to be written again, and returns the stacks that it named. */
export const takeWarnedStacks = async (tx: Tx, runId: string, code: string): Promise<readonly string[]> => {
  const rows = await tx.any(sql.type(StackRow)`
    with taken as (
      select id, jsonb_path_query_array(warnings, '$[*] ? (@.code == $code)', jsonb_build_object('code', ${code}::text)) as of_code
      from runs where ${within(tx, sql.fragment`runs`)} and id = ${runId}
    ), kept as (
      update runs r set warnings = jsonb_path_query_array(
        warnings, '$[*] ? (@.code != $code)', jsonb_build_object('code', ${code}::text))
      from taken t where ${within(tx, sql.fragment`r`)} and r.id = t.id and t.of_code <> '[]'
    )
    select jsonb_array_elements_text(w->'stacks') as stack from taken, jsonb_array_elements(of_code) w`)
  return rows.map(({ stack }) => stack)
}

export type RunResolution = {
  id: string
  graph_id: string
  base_sha: string | null
  upload_digest: string
  /** UTF-8 JSON text of the answer. */
  resolution: Uint8Array
  failure: object | null
  warnings: object[]
}

/** Records what an upload was resolved to. */
export const setResolution = async (tx: Tx, run: RunResolution): Promise<void> => {
  await tx.query(sql.type(nothing)`
    update runs set graph_id = ${run.graph_id}, base_sha = coalesce(${run.base_sha}, base_sha),
      upload_digest = ${run.upload_digest}, resolution = ${textOfBytes(run.resolution)},
      failure = ${run.failure === null ? null : JSON.stringify(run.failure)}::jsonb,
      warnings = ${JSON.stringify(run.warnings)}::jsonb, rev = rev + 1
    where ${within(tx, sql.fragment`runs`)} and id = ${run.id}`)
}

/** Why a run failed before any stack of it was planned. */
export const setFailure = async (tx: Tx, runId: string, reason: string): Promise<void> => {
  await tx.query(sql.type(nothing)`
    update runs set failure = ${JSON.stringify({ reason })}::jsonb, rev = rev + 1
    where ${within(tx, sql.fragment`runs`)} and id = ${runId}`)
}

const ResolutionEndedRunRow = z.object({ resolution: z.string(), ended_run: z.boolean() })

/**
 * The answer to the upload that was last recorded for the run, as JSON text, and whether the run was over with it: there was
 * nothing to plan, or no order to plan it in.
 */
export const resolutionOf = (db: Reader, id: string): Promise<{ resolution: string; ended_run: boolean }> =>
  db.one(sql.type(ResolutionEndedRunRow)`
    select resolution,
      failure is not null or not exists (
        select from run_stacks x where x.installation_id = ${ofRun(db, id)} and x.run_id = ${id}) as ended_run
    from runs r where ${within(db, sql.fragment`r`)} and id = ${id}`)
