import type { Client } from 'pg'
import t, { type Test } from 'tap'
import { systemClock } from '#clock.ts'
import { knownEvents, lastSeqsOfStacks } from '#db/machines/journal.ts'
import {
  loadStacksById,
  loadStacksByKey,
  loadStacksOfRun,
  type RunStackRow,
  removeRunStacks,
} from '#db/machines/run-stacks.ts'
import { lockRunWithStack } from '#db/machines/run-with-stack.ts'
import { lockRuns, resolutionOf } from '#db/machines/runs.ts'
import { storeTransitions } from '#db/machines/store-transitions.ts'
import { findCheck, putCheck } from '#db/runs/checks.ts'
import type { Pool } from '#db/sql.ts'
import { ofInstallation } from '#db/tenant.ts'
import { transact } from '#db/transact.ts'
import { monthOfRun } from '#domain/month.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { openDatabase } from '#test/helpers/open-database.ts'
import { seedRepository, seedRun } from '#test/helpers/seed.ts'
import { genericPlan, heard, type Statement } from '#test/scenes/generic-plan.ts'

const world = async (t: Test): Promise<{ pool: Pool; client: Client; runId: string; stack: RunStackRow }> => {
  const { pool, client } = await openDatabase(t)
  await seedRepository(pool)
  const { runId } = await seedRun(pool, createRuntime({ pool, clock: systemClock }), { waves: [['a', 'b']] })
  const [stack] = await transact(pool, (tx) => loadStacksByKey(tx, [{ runId, key: 'a' }]))
  if (!stack) throw new Error('the run has no stack')
  return { pool, client, runId, stack }
}

/** The partitions that a statement opens when it is run with a plan that was made once for all values. */
const partitionsOf = async (client: Client, statement: Statement): Promise<string[]> => {
  const plan = await genericPlan(client, statement, 'costs off')
  const named = plan.matchAll(/\b(?:journal|run_stacks|results|checks|check_runs)_(\d{4}_\d\d|default)\b/g)
  return [...new Set([...named].map(([name]) => name))]
}

t.test('a statement of the runtime opens the month of its run, and no other', async (t) => {
  const { pool, client, runId, stack } = await world(t)
  const statements: Statement[] = []
  const place = { runId, stackId: stack.stack_id }
  const at = new Date()
  const check = {
    name: 'cost',
    status: 'pass' as const,
    summary: null,
    details: null,
    details_url: null,
    updated_at: at,
  }
  await transact(pool, async (transaction) => {
    const tx = heard(ofInstallation(transaction, 1), statements)
    await lockRuns(tx, [runId])
    await lockRunWithStack(tx, { runId, key: 'a' })
    await loadStacksByKey(tx, [{ runId, key: 'a' }])
    await loadStacksById(tx, [place])
    for await (const _ of loadStacksOfRun(tx, runId));
    await knownEvents(tx, [{ kind: 'stack', run_id: runId, subject_id: stack.stack_id, name: 'x', key: 'y' }])
    await lastSeqsOfStacks(tx, runId)
    await storeTransitions(tx, {
      runs: [],
      standings: [],
      stacks: [
        {
          ...stack,
          stack_ids: [stack.stack_id],
          fence: null,
          digest: null,
          blocked_by: [],
          lost: null,
          seq: stack.seq + 1,
          rev: 2,
        },
      ],
      journal: [
        {
          kind: 'stack',
          run_id: runId,
          subject_ids: [stack.stack_id],
          seq: stack.seq + 1,
          event: { type: 'x' },
          event_key: null,
          actor: 'test',
          cause: null,
          state_from: null,
          state_to: 'planning',
          actions: [],
          at,
        },
      ],
      results: [],
      jobs: [],
    })
    await putCheck(tx, { ...check, run_id: runId, stack_id: stack.stack_id })
    await findCheck(tx, runId, stack.stack_id, 'cost')
    await resolutionOf(tx, runId).catch(() => {})
    await removeRunStacks(tx, runId)
  })
  const month = monthOfRun(runId)?.replace('-', '_')
  // a run that is resolved again: how its stacks stood before is looked for in all months
  for (const statement of statements.filter(({ text }) => !text.includes('now_newest'))) {
    const opened = await partitionsOf(client, statement)
    t.same([...new Set(opened.map((name) => name.slice(-7)))], opened.length > 0 ? [month] : [], statement.text)
  }
})
