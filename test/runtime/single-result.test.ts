import { randomUUID } from 'node:crypto'
import t from 'tap'
import { systemClock } from '#clock.ts'
import { lockRuns } from '#db/machines/runs.ts'
import { createPool } from '#db/pool.ts'
import { sql, type Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { createLog } from '#log.ts'
import type { Message } from '#runtime/message.ts'
import { createRuntime, type Runtime } from '#runtime/runtime.ts'
import { testDatabase } from '#test/helpers/database.ts'
import { seedRepository, seedRun } from '#test/helpers/seed.ts'
import { until } from '#test/helpers/until.ts'
import { query } from '#test/scenes/served.ts'

const log = createLog({ level: 'silent', format: 'json' })

const result = (runId: string, key: string, outcome: 'changes' | 'failed'): Message => ({
  to: { kind: 'stack', runId, key },
  installationId: 1,
  event: { type: 'result.reported', outcome, digest: outcome },
  actor: 'test',
  document: () => ({ body: { mode: 'plan', status: 'success', exit_code: 2 }, plan_text: null }),
  wantsView: true,
})

const { url } = await testDatabase(t)
const statements: string[] = []
const seam = (step: string): void => void (step.startsWith('before') && statements.push(step))
const pool = await createPool(url, { log, seam })
t.teardown(() => pool.end())
await seedRepository(pool)
const runtime = createRuntime({ pool, clock: systemClock })

/** Our answer to a result for `a` that comes while another instance has the run, and commits what it did with it after that. */
const sendDuring = async (work: (tx: Tx, elsewhere: Runtime, runId: string) => Promise<unknown>) => {
  const { runId } = await seedRun(pool, runtime, { waves: [['a', 'b']] })
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const other = await createPool(url, { log })
  const elsewhere = createRuntime({ pool: other, clock: systemClock })
  const theirs = transact(other, async (tx) => {
    await work(tx, elsewhere, runId)
    begun.resolve()
    await over.promise
  })
  await begun.promise
  const ours = runtime.send(result(runId, 'a', 'failed'))
  await until(async () => (await query(url, ['select 1 from pg_locks where not granted'])).length > 0)
  over.resolve()
  await theirs
  await other.end()
  return { runId, answer: await ours }
}

t.test('a result that comes alone takes two statements between BEGIN and COMMIT', async (t) => {
  const { runId } = await seedRun(pool, runtime, { waves: [['a', 'b']] })
  statements.length = 0
  t.match(await runtime.send(result(runId, 'a', 'changes')), { outcome: 'moved', view: { status: 'planned' } })
  t.equal(statements.length, 2, statements.join('\n'))
})

t.test('it meets its stack as another instance left it, which had the run when it came', async (t) => {
  const same = await sendDuring((tx, elsewhere, runId) => elsewhere.sendAll(tx, [result(runId, 'a', 'changes')]))
  t.match(same.answer, { outcome: 'refused', status: 'planned', problem: { code: 'conflict' } })
  const beside = await sendDuring((tx, elsewhere, runId) => elsewhere.sendAll(tx, [result(runId, 'b', 'changes')]))
  t.match(beside.answer, { outcome: 'moved', status: 'failed' })
  const [run] = await query(url, ['select status from runs where id = $1', [beside.runId]])
  t.equal(run.status, 'failed', 'both are counted')
})

t.test('it finds a stack that was replaced meanwhile, and misses what is not there', async (t) => {
  const replaced = await sendDuring(async (tx, _elsewhere, runId) => {
    await lockRuns(tx, [runId])
    await tx.query(
      sql.unsafe`create temporary table kept on commit drop as select * from run_stacks where run_id = ${runId}`,
    )
    await tx.query(sql.unsafe`delete from run_stacks where run_id = ${runId}`)
    await tx.query(sql.unsafe`insert into run_stacks select * from kept`)
  })
  t.match(replaced.answer, { outcome: 'moved', status: 'failed' })
  t.match(await runtime.send(result(replaced.runId, 'c', 'changes')), { outcome: 'missing' })
  t.match(await runtime.send(result(randomUUID(), 'a', 'changes')), { outcome: 'missing' })
})
