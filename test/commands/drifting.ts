import { systemClock } from '#clock.ts'
import { beginRun } from '#commands/begin-run.ts'
import { scheduleStacks } from '#commands/schedule-stacks.ts'
import { transact } from '#db/transact.ts'
import { createRuntime } from '#runtime/runtime.ts'
import type { World } from '#test/helpers/world.ts'

const who = { actor: 'system' }

/** A drift run of one stack, ended with this outcome. */
export const driftRun = async (
  world: World,
  key: string,
  outcome: 'changes' | 'none' | 'failed',
  summary: object = { changes: outcome === 'changes' ? 3 : 0 },
): Promise<string> => {
  const runtime = createRuntime({ pool: world.pool, clock: systemClock })
  const id = await transact(world.pool, async (tx) => {
    const ofSchedule = { mode: 'drift', trigger: 'schedule', requestedBy: 'system' } as const
    const row = {
      ...{ ...ofSchedule, repoId: world.repository.id, prNumber: null, sha: 'd'.repeat(40), baseSha: null },
      ...{ workflowRunId: null, workflowRunAttempt: null, createdAt: new Date() },
    }
    const runId = await beginRun(runtime, tx, row, who)
    const run = { id: runId, repoId: world.repository.id, mode: 'drift' } as const
    const stacks = [{ key, path: key, wave: 0, reasons: ['requested'] }]
    const tallies = await scheduleStacks(runtime, tx, { run, stacks, keys: [], who })
    await runtime.sendAll(tx, [
      { to: { kind: 'run', id: runId }, event: { type: 'replan.requested', tallies }, ...who },
    ])
    return runId
  })
  const sent = await runtime.send({
    to: { kind: 'stack', runId: id, key },
    event: { type: 'result.reported', outcome, digest: outcome },
    actor: 'runner',
    document: () => ({
      body: { summary: { adds: 0, changes: 0, destroys: 0, replaces: 0, ...summary } },
      planText: null,
    }),
  })
  if (sent.problem) throw sent.problem
  return id
}
