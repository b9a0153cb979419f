import { randomUUID } from 'node:crypto'
import t from 'tap'
import { systemClock } from '#clock.ts'
import { addDispatches } from '#db/machines/dispatches.ts'
import { addWarnings } from '#db/machines/runs.ts'
import { createPool } from '#db/pool.ts'
import { putCheck } from '#db/runs/checks.ts'
import { transact } from '#db/transact.ts'
import { createLog } from '#log.ts'
import type { Message } from '#runtime/message.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { testDatabase } from '#test/helpers/database.ts'
import { seedRepository, seedRun } from '#test/helpers/seed.ts'
import { query } from '#test/scenes/served.ts'

const { url } = await testDatabase(t)
const pool = await createPool(url, { log: createLog({ level: 'silent', format: 'json' }) })
t.teardown(() => pool.end())
await seedRepository(pool)
const runtime = createRuntime({ pool, clock: systemClock })

const { runId } = await seedRun(pool, runtime, { mode: 'apply', waves: [['a', 'b', 'c'], ['d']] })

type Revs = { run: number; stacks: Record<string, number>; dispatches: number[] }

const revs = async (): Promise<Revs> => {
  const [run] = await query(url, ['select rev from runs where id = $1', [runId]])
  const stacks = await query(url, ['select key, rev from run_stacks where run_id = $1 order by key', [runId]])
  const dispatches = await query(url, ['select rev from dispatches where run_id = $1', [runId]])
  return {
    run: run.rev,
    stacks: Object.fromEntries(stacks.map(({ key, rev }) => [key, rev])),
    dispatches: dispatches.map(({ rev }) => rev),
  }
}

const result = (key: string, outcome: 'changes' | 'failed' = 'changes'): Message => ({
  to: { kind: 'stack', runId, key },
  event: { type: 'result.reported', outcome, digest: `${key} ${outcome}` },
  actor: 'test',
  document: () => ({ body: { mode: 'apply', status: 'success' }, plan_text: null }),
})

t.test('a save raises the number of its run and stamps the rows that it changes, and no other', async (t) => {
  const before = await revs()
  t.ok(Object.values(before.stacks).every((rev) => rev >= 1 && rev <= before.run))
  await runtime.send(result('a'))
  const after = await revs()
  t.ok(after.run > before.run)
  t.same(after.stacks, { ...before.stacks, a: after.run })
  await runtime.send(result('a'))
  t.same(await revs(), after, 'the same result again changes nothing')
})

t.test('messages that share a transaction share the number', async (t) => {
  const before = await revs()
  const late = { ...result('a', 'failed') }
  const answers = await transact(pool, (tx) => runtime.sendAll(tx, [result('b'), late]))
  t.same(
    answers.map(({ outcome }) => outcome),
    ['moved', 'refused'],
  )
  const after = await revs()
  t.same(after, { ...before, run: before.run + 1, stacks: { ...before.stacks, b: before.run + 1 } })
})

t.test('a dispatch that moves alone raises the number of its run', async (t) => {
  const before = await revs()
  const id = randomUUID()
  const [c] = await query(url, [`select stack_id from run_stacks where key = 'c'`])
  await transact(pool, async (tx) => {
    const [machine] = await runtime.begin(tx, 'dispatch', [{ id, runId, input: { wave: 0, part: 1 } }], {
      actor: 'test',
    })
    await addDispatches(tx, [
      { ...machine!, run_id: runId, wave: 0, part: 1, stack_ids: [c.stack_id], created_at: new Date() },
    ])
  })
  const made = await revs()
  t.same(made, { ...before, run: before.run + 1, dispatches: [before.run + 1] })
  await runtime.send({ to: { kind: 'dispatch', id, runId }, event: { type: 'dispatch.sent' }, actor: 'test' })
  t.same(await revs(), { ...made, run: made.run + 1, dispatches: [made.run + 1] })
})

t.test('verdicts and warnings raise it too', async (t) => {
  const before = await revs()
  const [d] = await query(url, [`select stack_id from run_stacks where key = 'd'`])
  const check = { name: 'policy', status: 'pass' as const, summary: null, details: null, details_url: null }
  const row = { ...check, run_id: runId, stack_id: d.stack_id, updated_at: new Date() }
  await transact(pool, (tx) => putCheck(tx, row))
  const checked = await revs()
  t.same(checked, { ...before, run: before.run + 1, stacks: { ...before.stacks, d: before.run + 1 } })
  await transact(pool, (tx) => addWarnings(tx, [{ runId, warning: { code: 'upstream_run', message: 'x' } }]))
  t.same(await revs(), { ...checked, run: checked.run + 1 }, 'of the run alone')
})

t.test('what ends a wave stamps all that follows from it with one number', async (t) => {
  await runtime.send(result('c', 'failed'))
  const after = await revs()
  t.equal(after.stacks.c, after.run)
  t.equal(after.stacks.d, after.run, 'the stack that is skipped for it')
})
