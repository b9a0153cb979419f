import { z } from 'zod'
import { plannedOnce } from '../planned-once.ts'
import { sql } from '../sql.ts'
import type { TenantTx } from '../tenant.ts'
import { BesideMachine, besideMachine, withLock } from './beside-machine.ts'
import { type ReportedStackRow, RunStackRow } from './run-stacks.ts'
import { RunRow, runRowColumns } from './runs.ts'
import { snapshotColumns } from './snapshot-columns.ts'
import { stackSnapshot } from './stack-snapshot.ts'
import { stackOfRun } from './stacks-by-key.ts'

const ofStack = {
  stack_id: z.string(),
  key: z.string(),
  stack_wave: z.number(),
  stack_status: z.string(),
  environment: z.string().nullable(),
  plan_output: RunStackRow.shape.plan_output,
  stack_started_at: z.date().nullable(),
  stack_finished_at: z.date().nullable(),
  stack_snapshot: snapshotColumns.snapshot,
  stack_version: z.number(),
  stack_seq: z.number(),
  beside: BesideMachine,
}

const RunWithStackRow = RunRow.extend(ofStack)

/**
 * Locks the run of one of its stacks, and loads both with the one statement: most results come alone. The stack's row is locked
 * too, though its run's lock guards it: only so is it read as it is after the wait for the run. Undefined if the two were not
 * there before the wait: then they are looked for one after the other.
 */
export const lockRunWithStack = async (
  tx: TenantTx,
  { runId, key }: { runId: string; key: string },
): Promise<{ run: RunRow; stack: ReportedStackRow } | undefined> => {
  const row = await tx.maybeOne(sql.type(RunWithStackRow)`
    select ${runRowColumns}, s.stack_id, s.key, s.wave as stack_wave, s.status as stack_status, s.environment, s.plan_output,
      s.started_at as stack_started_at, s.finished_at as stack_finished_at, ${stackSnapshot} as stack_snapshot,
      s.version as stack_version, s.seq as stack_seq, ${besideMachine([runId])} as beside, ${plannedOnce}
    from runs r join run_stacks s on s.installation_id = r.installation_id and s.run_id = r.id ${withLock}
    where r.installation_id = ${tx.installationId} and s.installation_id = ${tx.installationId}
      and r.id = ${runId} and s.run_id = ${runId} and s.stack_id = ${stackOfRun(tx, { runId, key })}
    for no key update of r, s`)
  if (!row) return undefined
  const { stack_id, environment, plan_output, beside, ...run } = row
  const stack = {
    run_id: row.id,
    stack_id,
    key: row.key,
    wave: row.stack_wave,
    status: row.stack_status,
    environment,
    plan_output,
    started_at: row.stack_started_at,
    finished_at: row.stack_finished_at,
    snapshot: row.stack_snapshot,
    version: row.stack_version,
    seq: row.stack_seq,
    beside,
  }
  return { run, stack }
}
