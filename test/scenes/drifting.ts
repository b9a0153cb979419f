import { systemClock } from '#clock.ts'
import { beginRun } from '#commands/runs/begin-run.ts'
import { planStacks } from '#commands/runs/place-stacks.ts'
import { transact } from '#db/transact.ts'
import { createRuntime } from '#runtime/runtime.ts'
import type { World } from '#test/helpers/world.ts'

const who = { actor: 'system' }

/** A drift run of one stack that ended with this outcome. */
export const driftRun = async (
  world: World,
  key: string,
  outcome: 'changes' | 'none' | 'failed',
  summary: object = { changes: outcome === 'changes' ? 3 : 0 },
  planText: string | null = null,
): Promise<string> => {
  const runtime = createRuntime({ pool: world.pool, clock: systemClock })
  const id = await transact(world.pool, async (tx) => {
    const ofSchedule = { mode: 'drift', trigger: 'schedule', requested_by: 'system' } as const
    const row = {
      ...{ ...ofSchedule, repo_id: world.repository.id, pr_number: null, sha: 'd'.repeat(40), base_sha: null },
      ...{ workflow_run_id: null, workflow_run_attempt: null, created_at: new Date() },
    }
    const runId = await beginRun(runtime, tx, row, who)
    const run = { id: runId, repoId: world.repository.id, mode: 'drift' } as const
    const stacks = [{ key, path: key, wave: 0, reasons: ['requested'] }]
    await planStacks(runtime, tx, { run, stacks, keys: [], who }, 'replan.requested')
    return runId
  })
  const sent = await runtime.send({
    to: { kind: 'stack', runId: id, key },
    event: { type: 'result.reported', outcome, digest: outcome },
    actor: 'runner',
    document: () => ({
      body: {
        mode: 'drift',
        status: 'success',
        summary: { adds: 0, changes: 0, destroys: 0, replaces: 0, ...summary },
      },
      plan_text: planText,
    }),
  })
  if (sent.problem) throw sent.problem
  return id
}
