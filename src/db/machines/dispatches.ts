import { z } from 'zod'
import { jsonRows, nothing, type Reader, sql, type Tx } from '../sql.ts'
import { ofRun, ofRuns, type TenantTx, within } from '../tenant.ts'
import { type SnapshotColumns, snapshotColumns } from './snapshot-columns.ts'

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

/** One workflow dispatch: a wave of a run, or a part of a wave that is too large for one dispatch. */
export type DispatchRow = z.infer<typeof DispatchRow>

export const loadDispatches = (tx: TenantTx, ids: string[]): Promise<readonly DispatchRow[]> =>
  tx.any(sql.type(DispatchRow)`
    select id, run_id, wave, part, stack_ids, state, workflow_run_id, workflow_run_attempt, snapshot, version, seq
    from dispatches where installation_id = ${tx.installationId} and id = any(${sql.array(ids, 'uuid')}) order by id`)

export type NewDispatch = SnapshotColumns & {
  id: string
  run_id: string
  wave: number
  part: number
  stack_ids: string[]
  state: string
  created_at: Date
}

/** Adds the dispatches of a wave of a locked run in one statement. */
export const addDispatches = async (tx: Tx, rows: NewDispatch[]): Promise<void> => {
  if (rows.length === 0) return
  const runIds = [...new Set(rows.map((row) => row.run_id))]
  await tx.query(sql.type(nothing)`
    with raised as (
      update runs set rev = rev + 1 where installation_id ${ofRuns(tx, runIds)} and id = any(${sql.array(runIds, 'uuid')})
      returning installation_id, id, rev)
    insert into dispatches (installation_id, id, run_id, wave, part, stack_ids, state, snapshot, version, seq, created_at, rev)
    select raised.installation_id, t.id, run_id, wave, part, stack_ids, state, snapshot, version, seq, created_at, raised.rev
    from jsonb_to_recordset(${jsonRows(rows)}) as t(id uuid, run_id uuid, wave int4, part int4, stack_ids uuid[],
      state text, snapshot jsonb, version int4, seq int4, created_at timestamptz)
    join raised on raised.id = t.run_id`)
}

const IdRow = z.object({ id: z.string() })

/** Whether a wave of a run was sent; a plan run is sent whole, as its wave 0. */
export const hasDispatches = (db: Reader, runId: string, wave: number): Promise<boolean> =>
  db.exists(sql.type(IdRow)`
    select id from dispatches where installation_id = ${ofRun(db, runId)} and run_id = ${runId} and wave = ${wave}`)

export type DispatchChange = SnapshotColumns & {
  id: string
  state: string
  workflow_run_id: number | null
  workflow_run_attempt: number | null
  /** Of its run, with this change. */
  rev: number
}

export const saveDispatches = async (tx: TenantTx, rows: DispatchChange[]): Promise<void> => {
  if (rows.length === 0) return
  await tx.query(sql.type(nothing)`
    update dispatches d set state = t.state, workflow_run_id = t.workflow_run_id,
      workflow_run_attempt = t.workflow_run_attempt, snapshot = t.snapshot, version = t.version, seq = t.seq, rev = t.rev
    from ${sql.unnest(
      rows.map((row) => [
        row.id,
        row.state,
        row.workflow_run_id,
        row.workflow_run_attempt,
        JSON.stringify(row.snapshot),
        row.version,
        row.seq,
        row.rev,
      ]),
      ['uuid', 'text', 'int8', 'int4', 'jsonb', 'int4', 'int4', 'int4'],
    )} as t(id, state, workflow_run_id, workflow_run_attempt, snapshot, version, seq, rev)
    where d.installation_id = ${tx.installationId} and d.id = t.id`)
}

const IdRunIdRow = z.object({ id: z.string(), run_id: z.string() })

/** The run of each dispatch, by its id. */
export const dispatchRuns = async (tx: Reader, ids: string[]): Promise<Map<string, string>> => {
  const rows = await tx.any(sql.type(IdRunIdRow)`
    select id, run_id from dispatches where ${within(tx, sql.fragment`dispatches`)} and id = any(${sql.array(ids, 'uuid')})`)
  return new Map(rows.map((row) => [row.id, row.run_id]))
}
