import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { addDispatches } from '#db/dispatches.ts'
import { lockRuns } from '#db/runs.ts'
import { sql } from '#db/sql.ts'
import { changeTimers } from '#db/timers.ts'
import { transact } from '#db/transact.ts'
import { createRuntime, type Runtime } from '#runtime/runtime.ts'
import { seedRepository, seedRun } from '#test/helpers/seed.ts'
import { ringDueTimers, startTimers, type TimerDeps } from '#workers/timers.ts'
import { gate, openQueue, type Queue, silent, until, untilBlocked } from './queue.ts'

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

/** An apply of some stacks: each holds a lock, whose reminder is due a day later. */
const held = ({ pool, runtime }: Clockwork, keys: string[]) => seedRun(pool, runtime, { mode: 'apply', waves: [keys] })

const reminders = async ({ rows }: Clockwork): Promise<string[]> =>
  (
    await rows(`select s.key from journal j join stacks s on s.id::text = j.id
      where j.event->>'type' = 'reminder.due' order by s.key, j.seq`)
  ).map((row) => row.key)

const timers = ({ rows }: Clockwork) => rows('select kind, name, due_at from timers order by due_at, kind, id')

t.test('a timer rings when it is due, once, and what follows from it is queued', async (t) => {
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
  t.same(jobs, [{ about: 'reminder', after: 30 }], 'one comment says all, of those too that ring a moment later')
  t.match(await timers(world), [{ name: 'reminder' }, { name: 'reminder' }], 'set anew for the next day')
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

t.test('a process that dies between the ring and its commit leaves the timer for another', async (t) => {
  const world = await open(t)
  await held(world, ['a'])
  world.clock.pass(day)
  const dying: Runtime = {
    ...world.otherDeps.runtime,
    sendAll: async (tx, messages) => {
      const answers = await world.otherDeps.runtime.sendAll(tx, messages)
      // all is said but COMMIT: its connection goes, as with a killed process
      await tx.query(sql.unsafe`select pg_terminate_backend(pg_backend_pid())`)
      return answers
    },
  }
  await t.rejects(ringDueTimers({ ...world.otherDeps, runtime: dying }))
  t.same(await reminders(world), [])
  t.equal(await ringDueTimers(world.deps), 1)
  t.same(await reminders(world), ['a'])
})

t.test('one that cannot be handled does not keep the others from ringing, and is tried again later', async (t) => {
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

t.test('the timer of a machine that is gone goes too', async (t) => {
  const world = await open(t)
  const due_at = world.clock.now()
  await transact(world.pool, (tx) =>
    changeTimers(
      tx,
      (['dispatch', 'run', 'lock'] as const).map((kind) => ({
        kind,
        id: randomUUID(),
        name: 'pickup',
        set: { event: { type: 'runner.lost' }, due_at },
      })),
    ),
  )
  t.equal(await ringDueTimers(world.deps), 3)
  t.same(await timers(world), [])
})

/** A dispatch that the code host refused: it has a deadline in half an hour and is sent again each minute. */
const refusedDispatch = async (world: Clockwork) => {
  const { runId } = await held(world, ['a'])
  const [stack] = await world.rows('select stack_id from run_stacks')
  const id = randomUUID()
  await transact(world.pool, async (tx) => {
    const [machine] = await world.runtime.begin(tx, 'dispatch', [{ id, input: { wave: 0, part: 1 } }], {
      actor: 'test',
    })
    await addDispatches(tx, [
      { ...machine!, runId, wave: 0, part: 1, stackIds: [stack.stack_id], createdAt: new Date() },
    ])
  })
  const to = { kind: 'dispatch', id, runId } as const
  await world.runtime.send({
    to,
    event: { type: 'dispatch.refused', status: 422, message: 'no' } as never,
    actor: 'test',
  })
  return { to, runId }
}

t.test('of a machine with two due timers the first may cancel the second', async (t) => {
  const world = await open(t)
  const { to } = await refusedDispatch(world)
  t.match(await timers(world), [{ name: 'resend' }, { name: 'deadline' }, { name: 'reminder' }])
  // as after a long stop of the service, and the deadline first
  await world.rows(`update timers set due_at = $1 where name = 'resend'`, [new Date(+world.clock.now() + 3_600_000)])
  world.clock.pass(7200)
  t.equal(await ringDueTimers(world.deps), 1)
  t.equal(await ringDueTimers(world.deps), 0, 'the lost dispatch is not sent again')
  const events = await world.rows(`select event->>'type' as type from journal where id = $1 order by seq`, [to.id])
  t.same(
    events.map((event) => event.type),
    ['created', 'dispatch.refused', 'runner.lost'],
  )
})

t.test('a timer that rings while its machine cancels it waits for the machine, and is silent then', async (t) => {
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
      { to, event: { type: 'workflow.bound', workflow_run_id: 7, attempt: 1 } as never, actor: 'test' },
    ])
  })
  await locked.opened
  const rung = ringDueTimers(world.deps)
  await untilBlocked(world)
  cancelling.open()
  t.match(await sent, [{ outcome: 'moved', status: 'bound' }])
  await rung
  t.equal(attempts, 1, 'neither was a deadlock that Postgres had to break')
  t.same(await world.rows(`select from journal where event->>'type' = 'resend.due'`), [])
  t.match(await timers(world), [{ kind: 'lock', name: 'reminder' }])
})
