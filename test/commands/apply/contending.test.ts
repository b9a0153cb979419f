import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { unlockByCommand } from '#commands/comments/unlock-command.ts'
import { dispatchWave } from '#commands/dispatches/dispatch-wave.ts'
import { lockLocks } from '#db/machines/locks.ts'
import { createRepositoryLookUp } from '#db/repositories/repository-look-up.ts'
import { appliedByPlans } from '#db/runs/applies.ts'
import { addCommand } from '#db/runs/comment-commands.ts'
import { sql, type Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import type { Message } from '#runtime/message.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { dependsOn, seedRepository, seedRun } from '#test/helpers/seed.ts'
import { until } from '#test/helpers/until.ts'
import { openQueue } from '#test/scenes/queue.ts'

/* Several runs that want the same locks: two transactions, stopped where they meet; and runs whose locks went to others. */

const open = async (t: Test) => {
  const queue = await openQueue(t)
  await seedRepository(queue.pool)
  const runtime = createRuntime({ pool: queue.pool, clock: queue.clock })
  const idsOf = async (...keys: string[]): Promise<string[]> =>
    (await queue.rows('select id from stacks where key = any($1) order by id', [keys])).map(({ id }) => id)
  const keyOf = async (id: string) => (await queue.rows('select key from stacks where id = $1', [id]))[0].key
  const isWaiting = async () =>
    (await queue.rows(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
      .length > 0
  /** A transaction of another process: `meanwhile` runs in it once another session waits for its locks. */
  const meeting = async (stackId: string, work: () => Promise<unknown>, meanwhile: (tx: Tx) => Promise<unknown>) => {
    let met: Promise<unknown> | undefined
    await transact(queue.other, async (tx) => {
      await lockLocks(tx, [stackId])
      met = work()
      await until(isWaiting)
      await meanwhile(tx)
    })
    await met
  }
  return { ...queue, runtime, idsOf, keyOf, meeting }
}

type Outcome = 'changes' | 'none' | 'failed'

const report = (runId: string, key: string, outcome: Outcome): Message => ({
  to: { kind: 'stack', runId, key },
  installationId: 1,
  event: { type: 'result.reported', outcome, digest: key },
  actor: 'runner',
})

t.test('a failure that other locks hear of, and the loss of all runners, lock in one order', async (t) => {
  const { pool, runtime, idsOf, keyOf, meeting } = await open(t)
  const closed = { type: 'pull_request.closed', pr_number: 1, merged: true, apply_in_flight: true } as const
  const lost = (runId: string): Message => ({
    to: { kind: 'run', id: runId },
    installationId: 1,
    event: { type: 'runner.lost' },
    actor: 't',
  })
  const cases: [name: string, isMerged: boolean, message: (runId: string, key: string) => Message][] = [
    ['the failure in an apply of what is merged', true, (runId, key) => report(runId, key, 'failed')],
    ['the loss', false, lost],
  ]
  for (const [name, isMerged, message] of cases) {
    const { runId, keys } = await seedRun(pool, runtime, {
      mode: 'apply',
      waves: [['a', 'b', 'c'].map((x) => `${name} ${x}`)],
    })
    const ids = await idsOf(...keys)
    const [first = ''] = ids
    const last = ids.at(-1) ?? ''
    if (isMerged)
      for (const stackId of ids) await runtime.send({ to: { kind: 'lock', stackId }, event: closed, actor: 't' })
    const key = await keyOf(last)
    await meeting(
      first,
      () => runtime.send(message(runId, key)),
      // if the message held it already, this would be a deadlock
      (tx) => tx.query(sql.unsafe`select 1 from locks where stack_id = ${last} for no key update nowait`),
    )
    t.pass(name)
  }
})

t.test('a result waits for no lock but its own, whether it fails, ends its wave or ends the run', async (t) => {
  const { pool, other, runtime, idsOf } = await open(t)
  const cases: [name: string, waves: string[][], outcome: Outcome][] = [
    ['fails', [['f/a', 'f/b'], ['f/c']], 'failed'],
    ['wave', [['w/b'], ['w/a']], 'changes'],
    ['run', [['r/b']], 'none'],
  ]
  for (const [name, waves, outcome] of cases) {
    const { runId, keys } = await seedRun(pool, runtime, { mode: 'apply', waves, edges: [dependsOn('f/c', 'f/b')] })
    const ids = await idsOf(...keys.filter((key) => !key.endsWith('/b')))
    await transact(other, async (tx) => {
      await lockLocks(tx, ids)
      const answer = await runtime.send(report(runId, `${name[0]}/b`, outcome))
      t.equal(answer.outcome, 'moved', name)
    })
  }
})

t.test('a lock that changed hands while an unlock waited for it stays with its new holder', async (t) => {
  const { pool, runtime, rows, idsOf, meeting, clock } = await open(t)
  await seedRun(pool, runtime, { mode: 'apply', waves: [['passed', 'kept']], prNumber: 1 })
  const [stackId = ''] = await idsOf('passed')
  const repository = await createRepositoryLookUp(pool)(1)
  const command = {
    ...{
      repository: repository!,
      prNumber: 1,
      commentId: 7,
      author: 'rob',
      authorId: 7,
      verb: 'unlock' as const,
      words: [],
    },
    ...{ at: clock.now(), cause: undefined },
  }
  await transact(pool, (tx) => addCommand(tx, { repoId: 1, ...command, actor: 'rob' }))
  const deps = { pool, runtime, clock, metrics: { commandTaken: () => {}, dispatched: () => {} } } as never
  const to = { kind: 'lock' as const, stackId }
  const at = clock.now().toISOString()
  await meeting(
    stackId,
    () => unlockByCommand(deps, command),
    (tx) =>
      runtime.sendAll(tx, [
        { to, event: { type: 'release.requested', actor: 'eve', force_state: false }, actor: 'eve' },
        { to, event: { type: 'lock.requested', run_id: randomUUID(), pr_number: 2, at }, actor: 'eve' },
      ]),
  )
  t.same(
    await rows(`select s.key, l.state, l.pr_number from locks l join stacks s on s.id = l.stack_id order by key`),
    [
      { key: 'kept', state: 'free', pr_number: null },
      { key: 'passed', state: 'held.claimed', pr_number: 2 },
    ],
  )
  const [answer] = await rows(`select payload from jobs where kind = 'post_comment'`)
  t.match(answer.payload.body, /Released one lock\n\n- `kept`, held since \S+\n\n\*\*Next/)
})

t.test('a stack whose lock was released before its wave went out is skipped, and the others go', async (t) => {
  const { pool, runtime, rows, idsOf, clock } = await open(t)
  const { runId } = await seedRun(pool, runtime, { mode: 'apply', waves: [['a', 'b'], ['c']] })
  const [stackId = ''] = await idsOf('a')
  const event = { type: 'release.requested', actor: 'eve', force_state: false } as const
  await transact(pool, (tx) => runtime.sendAll(tx, [{ to: { kind: 'lock', stackId }, event, actor: 'eve' }]))
  const other = await seedRun(pool, runtime, { mode: 'apply', waves: [['a']], prNumber: 2 })
  const statuses = async () => [
    ...(await rows('select status from runs where id = $1', [runId])),
    ...(await rows('select key, status from run_stacks where run_id = $1 order by key', [runId])),
  ]
  t.equal(await dispatchWave({ pool, runtime, clock }, { runId, wave: 0, cause: null }), true)
  t.same(await rows('select stack_ids from dispatches'), [{ stack_ids: await idsOf('b') }])
  t.match(await statuses(), [{ status: 'applying' }, { status: 'skipped' }, { status: 'applying' }, {}])
  t.match(await rows('select warnings from runs where id = $1', [runId]), [
    { warnings: [{ code: 'lock_released', message: /^skipped, .*: a$/, stacks: ['a'] }] },
  ])
  t.match(await rows('select run_id from locks where stack_id = $1', [stackId]), [{ run_id: other.runId }])
  await runtime.send(report(runId, 'b', 'changes'))
  t.match(await statuses(), [{ status: 'failed' }, {}, { status: 'applied' }, { status: 'skipped' }])
})

t.test('an apply that lost all of its locks sends nothing and ends', async (t) => {
  const { pool, runtime, rows, clock } = await open(t)
  const { runId } = await seedRun(pool, runtime, { mode: 'apply', waves: [['a'], ['b']] })
  await rows('update locks set run_id = gen_random_uuid(), pr_number = 2')
  t.equal(await dispatchWave({ pool, runtime, clock }, { runId, wave: 0, cause: null }), true)
  t.same(await rows('select id from dispatches'), [])
  t.match(await rows('select status from runs'), [{ status: 'failed' }])
})

t.test('a stack that another run changed after an unlock no longer counts as applied', async (t) => {
  const { pool, runtime, rows, idsOf } = await open(t)
  const { runId: planId } = await seedRun(pool, runtime, { waves: [['a', 'b']] })
  const { runId } = await seedRun(pool, runtime, { mode: 'apply', waves: [['a', 'b']] })
  await rows('update run_stacks set plan_run_id = $1 where run_id = $2', [planId, runId])
  for (const key of ['a', 'b']) await runtime.send(report(runId, key, 'changes'))
  const applied = async () => (await appliedByPlans(pool, 1, [planId])).map(({ key }) => key).sort()
  t.same(await applied(), ['a', 'b'])
  const releases = (await idsOf('a', 'b')).map(
    (stackId): Message => ({
      to: { kind: 'lock', stackId },
      event: { type: 'release.requested', actor: 'eve', force_state: false },
      actor: 'eve',
    }),
  )
  await transact(pool, (tx) => runtime.sendAll(tx, releases))
  const other = await seedRun(pool, runtime, { mode: 'apply', waves: [['a', 'b']], prNumber: 2 })
  await runtime.send(report(other.runId, 'a', 'changes'))
  await runtime.send(report(other.runId, 'b', 'none'))
  t.same(await applied(), ['b'])
})
