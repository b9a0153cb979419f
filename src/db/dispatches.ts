import { z } from 'zod'
import { type SnapshotColumns, snapshotColumns } from './snapshot-columns.ts'
import { jsonRows, type Reader, sql, type Tx } from './sql.ts'

const DispatchRow = z.object({
  id: z.string(),
  run_id: z.string(),
  wave: z.number(),
  part: z.number(),
  stack_ids: z.array(z.string()),
  state: z.string(),
  workflow_run_id: z.number().nullable(),
  workflow_run_attempt: z.number().nullable(),
  ...snapshotColumns,
})

/** One workflow dispatch: a wave of a run, or a part of a wave that is too large for one. */
export type DispatchRow = z.infer<typeof DispatchRow>

export const loadDispatches = (tx: Tx, ids: string[]): Promise<readonly DispatchRow[]> =>
  tx.any(sql.type(DispatchRow)`
    select id, run_id, wave, part, stack_ids, state, workflow_run_id, workflow_run_attempt, snapshot, version, seq
    from dispatches where id = any(${sql.array(ids, 'uuid')}) order by id`)

export type NewDispatch = SnapshotColumns & {
  id: string
  runId: string
  wave: number
  part: number
  stackIds: string[]
  state: string
  createdAt: Date
}

/** Adds the dispatches of a wave in one statement. */
export const addDispatches = async (tx: Tx, rows: NewDispatch[]): Promise<void> => {
  if (rows.length === 0) return
  await tx.query(sql.type(z.object({}))`
    insert into dispatches (id, run_id, wave, part, stack_ids, state, snapshot, version, seq, created_at)
    select id, "runId", wave, part, "stackIds", state, snapshot, version, seq, "createdAt"
    from jsonb_to_recordset(${jsonRows(rows)}) as t(id uuid, "runId" uuid, wave int4, part int4, "stackIds" uuid[],
      state text, snapshot jsonb, version int4, seq int4, "createdAt" timestamptz)`)
}

/** Whether a wave of a run was sent out; a plan run goes out whole, as its wave 0. */
export const hasDispatches = (db: Reader, runId: string, wave: number): Promise<boolean> =>
  db.exists(sql.type(z.object({ id: z.string() }))`
    select id from dispatches where run_id = ${runId} and wave = ${wave}`)

export type DispatchChange = SnapshotColumns & {
  id: string
  state: string
  workflowRunId: number | null
  workflowRunAttempt: number | null
}

export const saveDispatches = async (tx: Tx, rows: DispatchChange[]): Promise<void> => {
  if (rows.length === 0) return
  await tx.query(sql.type(z.object({}))`
    update dispatches d set state = t.state, workflow_run_id = t.workflow_run_id,
      workflow_run_attempt = t.workflow_run_attempt, snapshot = t.snapshot, version = t.version, seq = t.seq
    from ${sql.unnest(
      rows.map((row) => [
        row.id,
        row.state,
        row.workflowRunId,
        row.workflowRunAttempt,
        JSON.stringify(row.snapshot),
        row.version,
        row.seq,
      ]),
      ['uuid', 'text', 'int8', 'int4', 'jsonb', 'int4', 'int4'],
    )} as t(id, state, workflow_run_id, workflow_run_attempt, snapshot, version, seq)
    where d.id = t.id`)
}

/** The run of each dispatch, by its id. */
export const dispatchRuns = async (tx: Tx, ids: string[]): Promise<Map<string, string>> => {
  const rows = await tx.any(sql.type(z.object({ id: z.string(), run_id: z.string() }))`
    select id, run_id from dispatches where id = any(${sql.array(ids, 'uuid')})`)
  return new Map(rows.map((row) => [row.id, row.run_id]))
}
