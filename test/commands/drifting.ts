import { randomUUID } from 'node:crypto'
import { systemClock } from '#clock.ts'
import { scheduleStacks } from '#commands/schedule-stacks.ts'
import { addRun } from '#db/runs.ts'
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
  const id = randomUUID()
  await transact(world.pool, async (tx) => {
    const input = { mode: 'drift', trigger: 'schedule', manual: false } as const
    const [machine] = await runtime.begin(tx, 'run', [{ id, input }], who)
    if (!machine) throw new Error('no run was begun')
    await addRun(tx, {
      ...machine,
      ...{ repoId: world.repository.id, prNumber: null, sha: 'd'.repeat(40), baseSha: null },
      ...{ mode: 'drift', trigger: 'schedule', requestedBy: 'system', workflowRunId: null, workflowRunAttempt: null },
      createdAt: new Date(),
    })
    const run = { id, repoId: world.repository.id, mode: 'drift' } as const
    const stacks = [{ key, path: key, wave: 0, reasons: ['requested'] }]
    const tallies = await scheduleStacks(runtime, tx, { run, stacks, keys: [], who })
    await runtime.sendAll(tx, [{ to: { kind: 'run', id }, event: { type: 'replan.requested', tallies }, ...who }])
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
