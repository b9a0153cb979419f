import { addDispatches, hasDispatches } from '#db/machines/dispatches.ts'
import { fencesOfRun } from '#db/machines/locks.ts'
import { addWarnings, lockRuns, type RunRow } from '#db/machines/runs.ts'
import { addJobs } from '#db/queue/jobs.ts'
import type { Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { type DispatchStackRow, startedStacksOf } from '#db/views/dispatch-stacks.ts'
import { dispatchEntry, dispatchParts } from '#domain/dispatch/dispatch-inputs.ts'
import { isUnderWay } from '#domain/run-status.ts'
import { lockReleased } from '#domain/texts/warnings.ts'
import { newId } from '#ids.ts'
import { makeJob } from '#jobs/job.ts'
import type { Deps } from '../deps.ts'
import { isSuperseding } from './giving-way.ts'

type WaveDeps = Pick<Deps, 'pool' | 'runtime' | 'clock'>

/** A wave of an apply; or, without a wave, a whole plan run, whose dispatches count as wave 0. */
export type Wave = {
  runId: string
  wave?: number | undefined
  cause: string | null
  /** When it was asked for; now, unless it waited. */
  askedAt?: Date
}

/**
 * Makes the dispatches of a wave: a machine, a row and a job each. Once, however often it is asked for; none for a run that
 * has ended. If a newer commit replaced the run while its wave waited here, the stacks of the wave are skipped; so are stacks
 * whose lock the run no longer holds.
 */
export const dispatchWave = async (deps: WaveDeps, { runId, wave, cause, ...asked }: Wave): Promise<boolean> => {
  const askedAt = asked.askedAt ?? deps.clock.now()
  const made = await transact(deps.pool, async (tx) => {
    const [run] = await lockRuns(tx, [runId])
    if (!run || !isUnderWay(run.status) || (await hasDispatches(tx, runId, wave ?? 0))) return false
    const stacks = await startedStacksOf(tx, runId, wave)
    if (stacks.length === 0) return false
    const released = run.mode === 'apply' ? await withoutLock(tx, run, stacks) : []
    const dropped = isSuperseding(run) ? stacks : released
    const sent = stacks.filter((stack) => !dropped.includes(stack))
    // first, since they tell locks: after jobs were stored, nothing is locked any more
    if (dropped.length > 0) await tellNeverSent(deps, tx, run, dropped)
    if (sent.length > 0) await makeDispatches(deps, tx, run, { wave: wave ?? 0, stacks: sent, cause, askedAt })
    if (released.length > 0) await addWarnings(tx, [{ runId, warning: warningOf(deps, released) }])
    return true
  })
  if (made) deps.runtime.wake()
  return made
}

const makeDispatches = async (
  { runtime }: WaveDeps,
  tx: Tx,
  run: RunRow,
  out: { wave: number; stacks: readonly DispatchStackRow[]; cause: string | null; askedAt: Date },
): Promise<void> => {
  const parts = dispatchParts(run, out.wave, out.stacks, (stack) => dispatchEntry(run, out.wave, stack))
  const made = parts.map((stacks, index) => ({ id: newId(), part: index + 1, stacks }))
  const machines = await runtime.begin(
    tx,
    'dispatch',
    made.map(({ id, part, stacks }) => ({ id, runId: run.id, input: { wave: out.wave, part, stacks: stacks.length } })),
    whoOf(out.cause),
  )
  const begun = new Map(machines.map((machine) => [machine.id, machine]))
  const rows = made.flatMap(({ id, part, stacks }) => {
    const machine = begun.get(id)
    const stack_ids = stacks.map((stack) => stack.stack_id)
    return machine ? [{ ...machine, run_id: run.id, wave: out.wave, part, stack_ids, created_at: out.askedAt }] : []
  })
  await addDispatches(tx, rows)
  const more = { installationId: run.installation_id, cause: out.cause }
  await addJobs(
    tx,
    made.map(({ id }) => makeJob('send_dispatch', { dispatch_id: id }, more)),
  )
}

const whoOf = (cause: string | null) => ({ actor: 'system', cause })

/**
 * Stacks whose lock was released since the apply began: another run may have it by now, and two would change the stack at the
 * same time. The locks are read and not locked: one released later is released during an apply that is out.
 */
const withoutLock = async (
  tx: Tx,
  run: RunRow,
  stacks: readonly DispatchStackRow[],
): Promise<readonly DispatchStackRow[]> => {
  const held = await fencesOfRun(tx, run.id)
  return stacks.filter((stack) => !held.has(stack.stack_id))
}

const warningOf = ({ clock }: WaveDeps, stacks: readonly DispatchStackRow[]) => ({
  ...lockReleased(stacks.map(({ key }) => key)),
  at: clock.now().toISOString(),
})

/** Its stacks count as started, but no job would ever report them; nothing was changed, that is certain. */
const tellNeverSent = async (
  { runtime }: WaveDeps,
  tx: Tx,
  run: RunRow,
  stacks: readonly DispatchStackRow[],
): Promise<void> => {
  await runtime.sendAll(
    tx,
    stacks.map((stack) => ({
      to: { kind: 'stack', runId: run.id, stackId: stack.stack_id },
      event: { type: 'stack.skipped' },
      actor: 'system',
    })),
  )
}
