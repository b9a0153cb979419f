import { z } from 'zod'
import { type SnapshotColumns, snapshotColumns } from './snapshot-columns.ts'
import { type FragmentSqlToken, jsonRows, sql, type Tx } from './sql.ts'

const RunStackRow = z.object({
  run_id: z.string(),
  stack_id: z.string(),
  key: z.string(),
  wave: z.number(),
  status: z.string(),
  environment: z.string().nullable(),
  plan_output: z.enum(['full', 'summary']),
  started_at: z.date().nullable(),
  finished_at: z.date().nullable(),
  ...snapshotColumns,
})

/** A stack's row in a run as the runtime needs it. No lock of its own: its run's lock guards it. */
export type RunStackRow = z.infer<typeof RunStackRow>

const columns = sql.fragment`
  s.run_id, s.stack_id, s.key, s.wave, s.status, s.environment, s.plan_output, s.started_at, s.finished_at,
  s.snapshot, s.version, s.seq`

export const loadStacksByKey = (tx: Tx, refs: { runId: string; key: string }[]): Promise<readonly RunStackRow[]> =>
  tx.any(sql.type(RunStackRow)`
    select ${columns} from ${sql.unnest(
      refs.map((ref) => [ref.runId, ref.key]),
      ['uuid', 'text'],
    )} as t(run_id, key) join run_stacks s on s.run_id = t.run_id and s.key = t.key`)

export const loadStacksById = (tx: Tx, refs: { runId: string; stackId: string }[]): Promise<readonly RunStackRow[]> =>
  tx.any(sql.type(RunStackRow)`
    select ${columns} from ${sql.unnest(
      refs.map((ref) => [ref.runId, ref.stackId]),
      ['uuid', 'uuid'],
    )} as t(run_id, stack_id) join run_stacks s on s.run_id = t.run_id and s.stack_id = t.stack_id`)

export const loadStacksOfRun = (tx: Tx, runId: string): Promise<readonly RunStackRow[]> =>
  tx.any(sql.type(RunStackRow)`select ${columns} from run_stacks s where s.run_id = ${runId} order by s.key`)

export type NewRunStack = SnapshotColumns & {
  runId: string
  stackId: string
  key: string
  path: string
  instance: string | null
  workspace: string | null
  environment: string | null
  tool: string | null
  toolVersion: string | null
  planOutput: string
  wave: number
  reasons: string[]
  via: string[]
  /** The plan run that an apply of the stack goes by. */
  planRunId: string | null
  status: string
}

/** Adds the rows of a run, 6,000 of them in one statement. */
export const addRunStacks = async (tx: Tx, rows: NewRunStack[]): Promise<void> => {
  if (rows.length === 0) return
  await tx.query(sql.type(z.object({}))`
    insert into run_stacks (run_id, stack_id, mode, created_at, key, path, instance, workspace, environment, tool,
      tool_version, plan_output, wave, reasons, via, plan_run_id, status, snapshot, version, seq)
    select "runId", "stackId", r.mode, r.created_at, key, path, instance, workspace, environment, tool, "toolVersion",
      "planOutput", wave, reasons, via, "planRunId", t.status, t.snapshot, t.version, t.seq
    from jsonb_to_recordset(${jsonRows(rows)}) as t("runId" uuid, "stackId" uuid, key text, path text, instance text,
      workspace text, environment text, tool text, "toolVersion" text, "planOutput" text, wave int4, reasons text[],
      via text[], "planRunId" uuid, status text, snapshot jsonb, version int4, seq int4)
    join runs r on r.id = "runId"`)
}

/** Takes the rows of a run away, with what was reported of them, before it is resolved anew. */
export const removeRunStacks = async (tx: Tx, runId: string): Promise<void> => {
  await tx.query(sql.type(z.object({}))`
    with without_results as (delete from results where run_id = ${runId}),
      without_checks as (delete from checks where run_id = ${runId})
    delete from run_stacks where run_id = ${runId}`)
}

export type RunStackChange = SnapshotColumns & {
  runId: string
  stackId: string
  status: string
  blockedBy: string[]
  startedAt: Date | null
  finishedAt: Date | null
}

/** What transitions made of stack rows, as a part of the statement that stores a batch. */
export const runStacksChanged = (rows: RunStackChange[]): FragmentSqlToken => sql.fragment`
    update run_stacks s set status = t.status, blocked_by = t."blockedBy", snapshot = t.snapshot, version = t.version,
      seq = t.seq, started_at = t."startedAt", finished_at = t."finishedAt"
    from jsonb_to_recordset(${jsonRows(rows)}) as t("runId" uuid, "stackId" uuid, status text, "blockedBy" text[],
      snapshot jsonb, version int4, seq int4, "startedAt" timestamptz, "finishedAt" timestamptz)
    where s.run_id = t."runId" and s.stack_id = t."stackId"`
