import { randomUUID } from 'node:crypto'
import { scheduleStacks } from '#commands/schedule-stacks.ts'
import { addRun } from '#db/runs.ts'
import { putInstallations } from '#db/installations.ts'
import { putRepositories } from '#db/repositories.ts'
import type { Pool } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import type { Runtime } from '#runtime/runtime.ts'

const repoId = 1
const who = { actor: 'bench' }

/** One repository for all runs. */
export const seedRepository = (pool: Pool): Promise<void> =>
  transact(pool, async (tx) => {
    await putInstallations(tx, [
      { id: 1, accountId: 1, accountLogin: 'acme', accountType: 'Organization', suspendedAt: null },
    ])
    await putRepositories(tx, [
      { id: repoId, installationId: 1, owner: 'acme', name: 'infra', defaultBranch: 'main', archived: false },
    ])
  })

export type SeededRun = { runId: string; keys: string[] }

/** A plan run of so many stacks in one wave, every one of them planning: as it stands when the jobs begin to report. */
export const seedRun = (pool: Pool, runtime: Runtime, stacks: number): Promise<SeededRun> =>
  transact(pool, async (tx) => {
    const runId = randomUUID()
    const input = { mode: 'plan', trigger: 'pull_request', manual: false }
    const [machine] = await runtime.begin(tx, 'run', [{ id: runId, input }], who)
    await addRun(tx, {
      ...machine!,
      repoId,
      prNumber: 1,
      sha: 'a'.repeat(40),
      baseSha: null,
      mode: 'plan',
      trigger: 'pull_request',
      requestedBy: 'bench',
      workflowRunId: 1,
      workflowRunAttempt: 1,
      createdAt: new Date(),
    })
    const keys = Array.from({ length: stacks }, (_, index) => `stacks/team-${index % 40}/service-${index}`)
    const tallies = await scheduleStacks(runtime, tx, {
      run: { id: runId, repoId, mode: 'plan' },
      stacks: keys.map((key) => ({ key, path: key, wave: 0, reasons: ['changed'], environment: 'default', tool: 'terraform' })),
      keys,
      who,
    })
    await runtime.sendAll(tx, [{ to: { kind: 'run', id: runId }, event: { type: 'graph.resolved', tallies } as never, ...who }])
    return { runId, keys }
  })
