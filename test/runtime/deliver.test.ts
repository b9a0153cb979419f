import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { systemClock } from '#clock.ts'
import { addDispatches } from '#db/machines/dispatches.ts'
import { loadStacksOfRun } from '#db/machines/run-stacks.ts'
import { findRun } from '#db/machines/runs.ts'
import { createPool } from '#db/pool.ts'
import type { Pool } from '#db/sql.ts'
import { ofInstallation } from '#db/tenant.ts'
import { transact } from '#db/transact.ts'
import { Problem } from '#errors.ts'
import { createLog } from '#log.ts'
import { stackRowId } from '#runtime/address.ts'
import type { Message, MessageTo } from '#runtime/message.ts'
import { createRuntime, type Runtime } from '#runtime/runtime.ts'
import { watchLockOrder } from '#test/db/lock-order.ts'
import { testDatabase } from '#test/helpers/database.ts'
import { readJournal, replay } from '#test/helpers/journal.ts'
import { dependsOn, seedRepository, seedRun, takeLocks } from '#test/helpers/seed.ts'
import { query } from '#test/scenes/served.ts'
import { ringDueTimers } from '#workers/clock/timers.ts'
import { shownStacks } from '#workers/publish/shown-stacks.ts'

const log = createLog({ level: 'silent', format: 'json' })

type World = { url: string; pool: Pool; runtime: Runtime }

const open = async (t: Test): Promise<World> => {
  const { url } = await testDatabase(t)
  const pool = await createPool(url, { log, seam: watchLockOrder(t) })
  t.teardown(() => pool.end())
  await seedRepository(pool)
  return { url, pool, runtime: createRuntime({ pool, clock: systemClock }) }
}

const result = (
  runId: string,
  key: string,
  more: Partial<Omit<MessageTo<'stack'>, 'to' | 'event'>> & {
    outcome?: 'changes' | 'none' | 'failed'
    digest?: string
  } = {},
): Message => {
  const { outcome = 'changes', digest = `${key} ${outcome}`, ...rest } = more
  return {
    to: { kind: 'stack', runId, key },
    event: { type: 'result.reported', outcome, digest },
    actor: 'test',
    document: () => ({ body: { mode: 'plan', status: 'success', exit_code: 2 }, plan_text: 'a plan' }),
    ...rest,
  }
}

const statuses = async (pool: Pool, runId: string): Promise<Record<string, string>> =>
  Object.fromEntries((await shownStacks(pool, runId)).map((row) => [row.key, row.status]))

/** For every machine of a run: replaying the journal must lead to the stored snapshot (invariant 5). */
const journalsHold = async (t: Test, { pool }: World, runId: string): Promise<void> => {
  const run = await findRun(pool, runId)
  t.same(replay('run', await readJournal(pool, 'run', runId)), run?.snapshot, "the run's journal leads to its snapshot")
  await transact(pool, async (tx) => {
    for await (const rows of loadStacksOfRun(ofInstallation(tx, 1), runId))
      for (const row of rows) {
        const journal = await readJournal(tx, 'stack', stackRowId(runId, row.stack_id))
        t.same(replay('stack', journal), row.snapshot, "a stack's journal leads to its snapshot")
      }
  })
}

t.test('a result settles its stack, tells the run, and leaves a journal row, a result and one job', async (t) => {
  const world = await open(t)
  const { pool, runtime, url } = world
  const { runId } = await seedRun(pool, runtime, { waves: [['a', 'b']] })
  await query(url, ['delete from jobs'])
  const answer = await runtime.send(result(runId, 'a', { wantsView: true, cause: 'request 7' }))
  t.match(answer, { outcome: 'moved', status: 'planned', view: { key: 'a', status: 'planned', plan_text: 'a plan' } })
  t.match(await findRun(pool, runId), { status: 'planning' })
  t.match(await runtime.send(result(runId, 'b', { outcome: 'none' })), { outcome: 'moved', status: 'noop' })
  const run = await findRun(pool, runId)
  t.match(run, { status: 'planned' })
  t.ok(run?.finished_at)
  const journal = await query(url, [
    "select kind, cause, state_from, state_to from journal where cause = 'request 7' order by kind",
  ])
  t.same(journal, [
    { kind: 'run', cause: 'request 7', state_from: 'planning', state_to: 'planning' },
    { kind: 'stack', cause: 'request 7', state_from: 'planning', state_to: 'planned' },
  ])
  t.same(
    await query(url, ['select kind, key from jobs']),
    [{ kind: 'publish_run', key: runId }],
    'one job, however often',
  )
  await journalsHold(t, world, runId)
})

t.test('the same result again changes nothing, a different one is refused, an unknown stack is missing', async (t) => {
  const { pool, runtime, url } = await open(t)
  const { runId } = await seedRun(pool, runtime, { waves: [['a', 'b']] })
  await runtime.send(result(runId, 'a'))
  const count = async () => (await query(url, ['select count(*) from journal']))[0].count
  const before = await count()
  t.match(await runtime.send(result(runId, 'a')), { outcome: 'unchanged', status: 'planned' })
  const refused = await runtime.send(result(runId, 'a', { outcome: 'failed' }))
  t.match(refused, { outcome: 'refused', status: 'planned', problem: { code: 'conflict' } })
  t.match(await runtime.send(result(runId, 'nowhere')), { outcome: 'missing' })
  t.equal(await count(), before, 'nothing was written')
})

t.test('a sender without permission is refused under the lock, before anything is written', async (t) => {
  const { pool, runtime } = await open(t)
  const { runId } = await seedRun(pool, runtime, { waves: [['a']] })
  const permit: Message['permit'] = ({ run, stack }) => new Problem('forbidden', `${run?.mode} of ${stack?.key}`)
  t.match(await runtime.send(result(runId, 'a', { permit })), { outcome: 'refused', problem: { message: 'plan of a' } })
  t.same(await statuses(pool, runId), { a: 'planning' })
})

t.test('messages that wait together share a transaction, and a refused one does not hold up the others', async (t) => {
  const world = await open(t)
  const { pool, runtime, url } = world
  const keys = Array.from({ length: 40 }, (_, index) => `stack-${index}`)
  const { runId } = await seedRun(pool, runtime, { waves: [keys] })
  // who is not asked whose the run is keeps his place in the order
  const known = { installationId: 1 }
  const answers = await Promise.all([
    ...keys.map((key) => runtime.send(result(runId, key, known))),
    runtime.send(result(runId, 'stack-0', { ...known, outcome: 'failed' })),
  ])
  t.equal(answers.filter((answer) => answer.outcome === 'moved').length, 40)
  t.equal(answers.at(-1)?.outcome, 'refused')
  const [{ transactions }] = await query(url, [
    "select count(distinct xmin::text) as transactions from journal where kind = 'stack' and seq > 0",
  ])
  // three where nothing else happens; beside other tests some begin before the others wait
  t.ok(Number(transactions) <= 10, `${transactions} transactions`)
  t.match(await findRun(pool, runId), { status: 'planned' })
  await journalsHold(t, world, runId)
})

t.test('a stored report is checked again when it is read', async (t) => {
  const { pool, runtime, url } = await open(t)
  const { runId } = await seedRun(pool, runtime, { waves: [['a']] })
  await runtime.send(result(runId, 'a'))
  t.match(await shownStacks(pool, runId), [{ result: { mode: 'plan', status: 'success', exit_code: 2 } }])
  for (const wrong of ['{"exit_code": "2"}', '{"status": "fine"}', '{"summary": {"adds": 1}}']) {
    await query(url, ['update results set body = body::jsonb || $1 where run_id = $2', [wrong, runId]])
    await t.rejects(shownStacks(pool, runId), { message: /do not conform with the schema/ }, wrong)
    await query(url, [`update results set body = '{"mode": "plan", "status": "success"}'`])
  }
})

t.test('a message that cannot be handled fails alone', async (t) => {
  const { pool, runtime } = await open(t)
  const first = await seedRun(pool, runtime, { waves: [['a', 'b']] })
  const second = await seedRun(pool, runtime, { waves: [['c']] })
  const settled = await Promise.allSettled([
    runtime.send(result(first.runId, 'a')),
    // a text that Postgres refuses
    runtime.send(
      result(first.runId, 'b', {
        document: () => ({ body: { mode: 'plan', status: 'success' }, plan_text: 'nul \0 byte' }),
      }),
    ),
    runtime.send(result(second.runId, 'c')),
  ])
  t.same(
    settled.map((one) => one.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  t.same(await statuses(pool, first.runId), { a: 'planned', b: 'planning' })
  t.same(await statuses(pool, second.runId), { c: 'planned' })
})

t.test('an event with a key is applied once', async (t) => {
  const { pool, runtime, url } = await open(t)
  const { runId } = await seedRun(pool, runtime, { waves: [['a']] })
  const warn = (key: string): Message => ({
    to: { kind: 'run', id: runId },
    event: { type: 'dispatch.refused', message: 'no workflow' },
    actor: 'test',
    key,
  })
  const together = await Promise.all([runtime.send(warn('one')), runtime.send(warn('one'))])
  t.same(together.map((answer) => answer.outcome).sort(), ['moved', 'unchanged'])
  t.match(await runtime.send(warn('one')), { outcome: 'unchanged' })
  t.match(await runtime.send(warn('two')), { outcome: 'moved' })
  const [{ warnings }] = await query(url, ['select warnings from runs'])
  t.equal(warnings.length, 2)
})

t.test('an apply goes wave by wave; a failure blocks what depends on it and skips the rest', async (t) => {
  const world = await open(t)
  const { pool, runtime, url } = world
  const { runId } = await seedRun(pool, runtime, {
    mode: 'apply',
    waves: [['a', 'b'], ['c', 'd'], ['e']],
    edges: [dependsOn('c', 'a'), dependsOn('d', 'b'), dependsOn('e', 'c')],
  })
  t.same(await statuses(pool, runId), { a: 'applying', b: 'applying', c: 'pending', d: 'pending', e: 'pending' })
  await runtime.send(result(runId, 'a', { outcome: 'failed' }))
  t.same(await statuses(pool, runId), { a: 'failed', b: 'applying', c: 'blocked', d: 'pending', e: 'blocked' })
  await runtime.send(result(runId, 'b'))
  t.same(await statuses(pool, runId), { a: 'failed', b: 'applied', c: 'blocked', d: 'skipped', e: 'blocked' })
  t.match(await findRun(pool, runId), { status: 'failed' })
  const rows = await shownStacks(pool, runId)
  t.same(rows.find((row) => row.key === 'e')?.blocked_by, ['a'])
  const locks = await query(url, [
    'select s.key, l.state from locks l join stacks s on s.id = l.stack_id order by s.key',
  ])
  t.same(
    locks.map((lock) => `${lock.key} ${lock.state}`),
    ['a held.changed', 'b held.changed', 'c held.claimed', 'd held.claimed', 'e held.claimed'],
  )
  const jobs = await query(url, ["select key from jobs where kind = 'dispatch_wave'"])
  t.same(jobs, [{ key: `${runId} 0` }], 'only the first wave went out')
  await journalsHold(t, world, runId)
})

t.test('a lock that another pull request holds is refused by name, and all locks are taken or none', async (t) => {
  const { pool, runtime, url } = await open(t)
  const first = await seedRun(pool, runtime, { mode: 'apply', prNumber: 1, waves: [['b']] })
  const second = transact(pool, async (tx) => {
    const taken = await takeLocks(runtime, tx, { runId: randomUUID(), prNumber: 2, keys: ['a', 'b'] })
    for (const answer of taken) if (answer.problem) throw answer.problem
  })
  await t.rejects(second, {
    code: 'locked',
    status: 423,
    details: { conflicts: [{ run_id: first.runId, pr_number: 1 }] },
  })
  t.same(await query(url, ['select pr_number from locks where run_id is not null']), [{ pr_number: 1 }])
})

t.test('timers are rows: set when a lock is taken, gone when it is freed', async (t) => {
  const { pool, runtime, url } = await open(t)
  const { keys } = await seedRun(pool, runtime, { mode: 'apply', waves: [['a']] })
  t.match(await query(url, ['select kind, name, event from timers']), [{ kind: 'lock', name: 'reminder' }])
  const [{ id }] = await query(url, ['select id from stacks where key = $1', [keys[0]]])
  const release = { type: 'release.requested', actor: 'ada', reason: 'runner died', force_state: true } as const
  await runtime.send({ to: { kind: 'lock', stackId: id }, event: release, actor: 'ada' })
  t.same(await query(url, ['select name from timers']), [])
  const details = { repo: 'acme/infra', stack: 'a', stack_id: id, pr: 1, reason: 'runner died', force_state: true }
  t.match(await query(url, ['select actor, action, target, details from audit']), [
    { actor: 'ada', action: 'unlock', target: 'acme/infra//a', details },
  ])
})

t.test(
  'a dispatch that no workflow run picks up within 30 minutes leaves its stacks unknown, and their locks held',
  async (t) => {
    const { pool, url } = await open(t)
    const clock = { at: new Date('2026-03-01T12:00:00Z'), now: () => clock.at }
    const runtime = createRuntime({ pool, clock })
    const { runId } = await seedRun(pool, runtime, { mode: 'apply', waves: [['a', 'b'], ['c']] })
    const ids = await query(url, ['select stack_id from run_stacks where wave = 0 order by key'])
    const dispatchId = randomUUID()
    await transact(pool, async (tx) => {
      const [machine] = await runtime.begin(tx, 'dispatch', [{ id: dispatchId, runId, input: { wave: 0, part: 1 } }], {
        actor: 'test',
      })
      const stackIds = ids.map((row) => row.stack_id)
      await addDispatches(tx, [
        { ...machine!, run_id: runId, wave: 0, part: 1, stack_ids: stackIds, created_at: clock.at },
      ])
    })
    const to = { kind: 'dispatch', id: dispatchId, runId } as const
    t.match(await runtime.send({ to, event: { type: 'dispatch.sent' }, actor: 'test' }), {
      outcome: 'moved',
      status: 'awaiting',
    })
    await runtime.send(result(runId, 'a'))

    clock.at = new Date('2026-03-01T12:29:59Z')
    t.equal(await ringDueTimers({ pool, runtime, clock, log }), 0)
    clock.at = new Date('2026-03-01T12:30:00Z')
    t.equal(await ringDueTimers({ pool, runtime, clock, log }), 1)
    t.equal(await ringDueTimers({ pool, runtime, clock, log }), 0, 'it rings once')
    t.same(await statuses(pool, runId), { a: 'applied', b: 'unknown', c: 'skipped' })
    t.match(await findRun(pool, runId), { status: 'failed' })
    t.match(await query(url, ['select state from dispatches']), [{ state: 'lost' }])

    t.match(
      await runtime.send(result(runId, 'b')),
      { outcome: 'moved', status: 'applied' },
      'a late result still lands',
    )
    t.same(await statuses(pool, runId), { a: 'applied', b: 'applied', c: 'skipped' })
    const locks = await query(url, ['select distinct state from locks order by state'])
    t.same(locks, [{ state: 'held.changed' }, { state: 'held.claimed' }])
  },
)
