import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { addDispatches } from '#db/machines/dispatches.ts'
import { lockRuns } from '#db/machines/runs.ts'
import { changeTimers } from '#db/queue/timers.ts'
import { sql } from '#db/sql.ts'
import { ofInstallation } from '#db/tenant.ts'
import { transact } from '#db/transact.ts'
import { createLog } from '#log.ts'
import { createRuntime, type Runtime } from '#runtime/runtime.ts'
import { seedRepository, seedRun } from '#test/helpers/seed.ts'
import { until } from '#test/helpers/until.ts'
import { gate, openQueue, type Queue, silent, untilBlocked } from '#test/scenes/queue.ts'
import { ringDueTimers, startTimers, type TimerDeps } from '#workers/clock/timers.ts'

type Clockwork = Queue & { runtime: Runtime; deps: TimerDeps; otherDeps: TimerDeps }

/** Two processes with timers over one database. */
const open = async (t: Test): Promise<Clockwork> => {
  const queue = await openQueue(t)
  await seedRepository(queue.pool)
  const { pool, other, clock } = queue
  const depsOf = (db: Queue['pool']): TimerDeps => ({
    pool: db,
    runtime: createRuntime({ pool: db, clock }),
    clock,
    log: silent,
  })
  const deps = depsOf(pool)
  return { ...queue, runtime: deps.runtime, deps, otherDeps: depsOf(other) }
}

const day = 24 * 60 * 60

/** An apply of some stacks: each holds a lock, with a reminder due a day later. */
const held = ({ pool, runtime }: Clockwork, keys: string[]) => seedRun(pool, runtime, { mode: 'apply', waves: [keys] })

const reminders = async ({ rows }: Clockwork): Promise<string[]> =>
  (
    await rows(`select s.key from lock_journal j join stacks s on s.id = j.stack_id
      where j.event->>'type' = 'reminder.due' order by s.key, j.seq`)
  ).map((row) => row.key)

const timers = ({ rows }: Clockwork) => rows('select kind, name, due_at from timers order by due_at, kind, id')

t.test('a due timer rings once, and its consequences are queued', async (t) => {
  const world = await open(t)
  await held(world, ['a', 'b'])
  world.clock.pass(day - 1)
  t.equal(await ringDueTimers(world.deps), 0)
  world.clock.pass(1)
  t.equal(await ringDueTimers(world.deps), 2)
  t.equal(await ringDueTimers(world.deps), 0)
  t.same(await reminders(world), ['a', 'b'])
  const jobs = await world.rows(
    `select payload->>'about' as about, extract(epoch from run_at - $1)::int as after from jobs where kind = 'comment_lock'`,
    [world.clock.now()],
  )
  t.same(jobs, [{ about: 'reminder', after: 30 }], 'one comment covers all, including those that ring a moment later')
  t.match(await timers(world), [{ name: 'reminder' }, { name: 'reminder' }], 'set again for the next day')
})

t.test('two processes that ring at the same time ring each timer once', async (t) => {
  const world = await open(t)
  const keys = Array.from({ length: 120 }, (_, index) => `stack-${String(index).padStart(3, '0')}`)
  await held(world, keys)
  world.clock.pass(day)
  const loops = [world.deps, world.otherDeps].map((deps) => startTimers(deps, 20))
  await until(async () => (await reminders(world)).length >= keys.length)
  await Promise.all(loops.map((loop) => loop.stop()))
  t.same(await reminders(world), keys)
})

t.test('if a process dies between the ring and its commit, another rings the timer', async (t) => {
  const world = await open(t)
  await held(world, ['a'])
  world.clock.pass(day)
  const dying: Runtime = {
    ...world.otherDeps.runtime,
    sendAll: async (tx, messages) => {
      const answers = await world.otherDeps.runtime.sendAll(tx, messages)
      // everything is sent but COMMIT: its connection is lost, as with a killed process
      await tx.query(sql.unsafe`select pg_terminate_backend(pg_backend_pid())`)
      return answers
    },
  }
  await t.rejects(ringDueTimers({ ...world.otherDeps, runtime: dying }))
  t.same(await reminders(world), [])
  t.equal(await ringDueTimers(world.deps), 1)
  t.same(await reminders(world), ['a'])
})

t.test('a timer that cannot be handled does not stop the others, and is tried again later', async (t) => {
  const world = await open(t)
  await held(world, ['a', 'b', 'c'])
  const broken = `(select id from stacks where key = 'b')`
  await world.rows(`update locks set snapshot = jsonb_set(snapshot, '{value}', '"nowhere"') where stack_id = ${broken}`)
  world.clock.pass(day)
  t.equal(await ringDueTimers(world.deps), 3)
  t.same(await reminders(world), ['a', 'c'])
  t.equal(await ringDueTimers(world.deps), 0, 'not at once')
  world.clock.pass(60)
  t.equal(await ringDueTimers(world.deps), 1)
  await world.rows(
    `update locks set snapshot = jsonb_set(snapshot, '{value}', '{"held": "claimed"}') where stack_id = ${broken}`,
  )
  world.clock.pass(60)
  t.equal(await ringDueTimers(world.deps), 1)
  t.same(await reminders(world), ['a', 'b', 'c'])
})

t.test('the timer of a machine that is gone is removed', async (t) => {
  const world = await open(t)
  const due_at = world.clock.now()
  await transact(ofInstallation(world.pool, 1), (tx) =>
    changeTimers(
      tx,
      [
        { kind: 'dispatch', event: { type: 'runner.lost' } },
        { kind: 'lock', event: { type: 'reminder.due' } },
      ].map(({ kind, event }) => ({ kind, id: randomUUID(), name: 'gone', set: { event, due_at } })),
    ),
  )
  t.equal(await ringDueTimers(world.deps), 2)
  t.same(await timers(world), [])
})

t.test('a timer with an event unknown to its machine is logged and put off, and the others ring', async (t) => {
  const world = await open(t)
  await held(world, ['a', 'b', 'c'])
  const setEvent = (key: string, event: object) =>
    world.rows('update timers set event = $1 where id = (select id::text from stacks where key = $2)', [event, key])
  await setEvent('a', { type: 'remindr.due' })
  await setEvent('b', { type: 'resend.due' })
  world.clock.pass(day)
  const lines: { name: string; err: { message: string } }[] = []
  const log = createLog({ level: 'error', format: 'json' }, { write: (line) => lines.push(JSON.parse(line)) })
  t.equal(await ringDueTimers({ ...world.deps, log }), 3)
  t.same(await reminders(world), ['c'])
  t.same(lines.map(({ err, name }) => `${name}: ${err.message}`).sort(), [
    'reminder: a lock does not know the event resend.due, which is one of: dispatch',
    'reminder: no machine knows the event remindr.due',
  ])
  t.equal(await ringDueTimers(world.deps), 0, 'not at once')
  await setEvent('a', { type: 'reminder.due' })
  await setEvent('b', { type: 'reminder.due' })
  world.clock.pass(60)
  t.equal(await ringDueTimers(world.deps), 2)
  t.same(await reminders(world), ['a', 'b', 'c'])
})

/** A dispatch that the code host refused: its deadline is in half an hour, and it is sent again each minute. */
const refusedDispatch = async (world: Clockwork) => {
  const { runId } = await held(world, ['a'])
  const [stack] = await world.rows('select stack_id from run_stacks')
  const id = randomUUID()
  await transact(world.pool, async (tx) => {
    const [machine] = await world.runtime.begin(tx, 'dispatch', [{ id, runId, input: { wave: 0, part: 1 } }], {
      actor: 'test',
    })
    await addDispatches(tx, [
      { ...machine!, run_id: runId, wave: 0, part: 1, stack_ids: [stack.stack_id], created_at: new Date() },
    ])
  })
  const to = { kind: 'dispatch', id, runId } as const
  await world.runtime.send({
    to,
    event: { type: 'dispatch.refused', status: 422, message: 'no' },
    actor: 'test',
  })
  return { to, runId }
}

t.test('the timers of a run whose row is held wait for it together, and briefly', async (t) => {
  const world = await open(t)
  const { runId } = await refusedDispatch(world)
  // as those of a large wave, which all go out at about the same time
  await world.rows(
    `insert into timers (installation_id, kind, id, name, event, due_at)
     select installation_id, 'stack', $1 || ':' || gen_random_uuid(), 'pickup', event, due_at
     from timers, generate_series(1, 20) where name = 'resend'`,
    [runId],
  )
  await held(world, ['b'])
  world.clock.pass(day)
  const stranger = await world.connect()
  await stranger.query('begin')
  await stranger.query('select from runs where id = $1 for update', [runId])
  const begun = performance.now()
  t.equal(await ringDueTimers(world.deps), 23)
  t.ok(performance.now() - begun < 5000, `${Math.round(performance.now() - begun)} ms`)
  await stranger.query('rollback')
  stranger.release()
  t.same(await reminders(world), ['a', 'b'], 'those of others ring')
  const due = () =>
    world.rows("select count(*)::int as count from timers where kind = 'stack' and due_at <= $1", [world.clock.now()])
  t.same(await due(), [{ count: 0 }])
  world.clock.pass(10)
  t.same(await due(), [{ count: 20 }], 'and theirs ten seconds later')
})

t.test('of two due timers of a machine, the first may cancel the second', async (t) => {
  const world = await open(t)
  const { to } = await refusedDispatch(world)
  t.match(await timers(world), [{ name: 'resend' }, { name: 'deadline' }, { name: 'reminder' }])
  // as after a long stop of the service, with the deadline first
  await world.rows(`update timers set due_at = $1 where name = 'resend'`, [new Date(+world.clock.now() + 3_600_000)])
  world.clock.pass(7200)
  t.equal(await ringDueTimers(world.deps), 1)
  t.equal(await ringDueTimers(world.deps), 0, 'the lost dispatch is not sent again')
  const events = await world.rows(`select event->>'type' as type from journal where subject_id = $1 order by seq`, [
    to.id,
  ])
  t.same(
    events.map((event) => event.type),
    ['created', 'dispatch.refused', 'runner.lost'],
  )
})

t.test('a timer that rings while its machine cancels it waits for the machine, and then does nothing', async (t) => {
  const world = await open(t)
  const { to, runId } = await refusedDispatch(world)
  world.clock.pass(60)
  let attempts = 0
  const locked = gate()
  const cancelling = gate()
  const sent = transact(world.other, async (tx) => {
    attempts += 1
    await lockRuns(tx, [runId])
    locked.open()
    await cancelling.opened
    return world.otherDeps.runtime.sendAll(tx, [
      { to, event: { type: 'workflow.bound', workflow_run_id: 7, attempt: 1 }, actor: 'test' },
    ])
  })
  await locked.opened
  const rung = ringDueTimers(world.deps)
  await untilBlocked(world)
  cancelling.open()
  t.match(await sent, [{ outcome: 'moved', status: 'bound' }])
  await rung
  t.equal(attempts, 1, 'and there was no deadlock for Postgres to break')
  t.same(await world.rows(`select from journal where event->>'type' = 'resend.due'`), [])
  t.match(await timers(world), [{ kind: 'lock', name: 'reminder' }])
})
