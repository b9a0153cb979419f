import t, { type Test } from 'tap'
import type { CodeHost } from '#codehost/port.ts'
import { dispatchWave } from '#commands/dispatches/dispatch-wave.ts'
import { sendDispatch } from '#commands/dispatches/send-dispatch.ts'
import { createRepositoryLookUp } from '#db/repositories/repository-look-up.ts'
import { transact } from '#db/transact.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { seedRepository, seedRun } from '#test/helpers/seed.ts'
import { openQueue, silent } from '#test/scenes/queue.ts'

/* The dispatches of a wave are made once, however often they are asked for; none for a run that has ended. */

const open = async (t: Test) => {
  const queue = await openQueue(t)
  await seedRepository(queue.pool)
  const depsOf = (pool: typeof queue.pool) => ({
    findRepository: createRepositoryLookUp(pool),
    pool,
    clock: queue.clock,
    runtime: createRuntime({ pool, clock: queue.clock }),
  })
  return { ...queue, deps: depsOf(queue.pool), otherDeps: depsOf(queue.other) }
}

type Opened = Awaited<ReturnType<typeof open>>

const apply = ({ pool, deps }: Opened, waves: string[][]) => seedRun(pool, deps.runtime, { mode: 'apply', waves })

const dispatches = async ({ rows }: Opened, runId: string): Promise<string[]> => {
  const found = await rows(
    `select d.wave, d.part, d.state, cardinality(d.stack_ids) as stacks,
       (select count(*) from jobs where kind = 'send_dispatch' and key = d.id::text)::int as jobs
     from dispatches d where run_id = $1 order by wave, part`,
    [runId],
  )
  return found.map(({ wave, part, state, stacks, jobs }) => `${wave}.${part} ${state}: ${stacks} stacks, ${jobs} job`)
}

const replaceHead = ({ pool, deps }: Opened, runId: string) =>
  transact(pool, (tx) =>
    deps.runtime.sendAll(tx, [
      { to: { kind: 'run', id: runId }, event: { type: 'head.replaced', sha: 'b'.repeat(40) }, actor: 'test' },
    ]),
  )

const statuses = async ({ rows }: Opened, runId: string): Promise<string[]> => {
  const [run] = await rows('select status from runs where id = $1', [runId])
  const stacks = await rows('select key, status from run_stacks where run_id = $1 order by key', [runId])
  return [run.status, ...stacks.map(({ key, status }) => `${key} ${status}`)]
}

t.test('a wave is dispatched once, though it is asked for again and by several at once', async (t) => {
  const world = await open(t)
  const { runId } = await apply(world, [['a', 'b'], ['c']])
  const wave = { runId, wave: 0, cause: null }
  const made = await Promise.all([world.deps, world.otherDeps, world.deps].map((deps) => dispatchWave(deps, wave)))
  t.same(made.filter(Boolean).length, 1)
  t.equal(await dispatchWave(world.deps, wave), false)
  t.same(await dispatches(world, runId), ['0.1 requested: 2 stacks, 1 job'])
  const [journal] = await world.rows(`select event, state_to from journal where kind = 'dispatch'`)
  t.match(journal, { event: { type: 'created', input: { wave: 0, part: 1, stacks: 2 } }, state_to: 'requested' })
})

t.test('a plan run goes out whole, in as many parts as it takes', async (t) => {
  const world = await open(t)
  const keys = Array.from({ length: 300 }, (_, n) => `s${String(n).padStart(3, '0')}`)
  const { runId } = await seedRun(world.pool, world.deps.runtime, { waves: [keys.slice(0, 200), keys.slice(200)] })
  t.equal(await dispatchWave(world.deps, { runId, cause: null }), true)
  t.same(await dispatches(world, runId), ['0.1 requested: 256 stacks, 1 job', '0.2 requested: 44 stacks, 1 job'])
})

t.test('nothing is dispatched for a run that ended, that never existed, or whose wave has nothing open', async (t) => {
  const world = await open(t)
  const plan = await seedRun(world.pool, world.deps.runtime, { waves: [['a']] })
  await replaceHead(world, plan.runId)
  const { runId } = await apply(world, [['b']])
  for (const [what, wave] of [
    ['ended', { runId: plan.runId }],
    ['never there', { runId: '0b5f3c1e-8a44-4a37-9d5f-0f4d1c2b3a49', wave: 0 }],
    ['nothing open', { runId, wave: 7 }],
  ] as const) {
    t.equal(await dispatchWave(world.deps, { ...wave, cause: null }), false, what)
  }
  t.same(await world.rows('select id from dispatches'), [])
})

t.test(
  'a wave is skipped if a newer commit comes before its dispatches are made, and no one has to check',
  async (t) => {
    const world = await open(t)
    const { runId } = await apply(world, [['a', 'b'], ['c']])
    await replaceHead(world, runId)
    t.same(await statuses(world, runId), ['applying', 'a applying', 'b applying', 'c pending'])
    t.equal(await dispatchWave(world.deps, { runId, wave: 0, cause: null }), true)
    t.same(await statuses(world, runId), ['superseded', 'a skipped', 'b skipped', 'c skipped'])
    t.same(await world.rows('select id from dispatches'), [])
    t.match(await world.rows('select state from locks order by state'), [
      { state: 'held.claimed' },
      { state: 'held.claimed' },
      { state: 'held.claimed' },
    ])
  },
)

t.test('a dispatch is withdrawn if a newer commit comes before it is sent', async (t) => {
  const world = await open(t)
  const { runId } = await apply(world, [['a']])
  await dispatchWave(world.deps, { runId, wave: 0, cause: null })
  await replaceHead(world, runId)
  const [{ id }] = await world.rows('select id from dispatches')
  // the code host is not asked: none is here to answer
  const deps = {
    ...world.deps,
    log: silent,
    metrics: { dispatched: () => t.fail('an attempt'), commandTaken: () => {} },
  }
  t.equal(await sendDispatch({ ...deps, codehost: undefined as never }, { id, again: false, cause: null }), true)
  t.same(await statuses(world, runId), ['superseded', 'a skipped'])
  t.match(await world.rows('select state from dispatches'), [{ state: 'lost' }])
})

t.test('a worker that stalled while another sent the dispatch does not send it too', async (t) => {
  const world = await open(t)
  const { runId } = await apply(world, [['a']])
  await dispatchWave(world.deps, { runId, wave: 0, cause: null })
  const [{ id }] = await world.rows('select id from dispatches')
  const sent: string[] = []
  const depsOf = (worker: string, listWorkflowRuns: () => Promise<never[]>) => ({
    ...world.deps,
    log: silent,
    metrics: { dispatched: () => {}, commandTaken: () => {} },
    codehost: { listWorkflowRuns, dispatchWorkflow: async () => sent.push(worker) } as unknown as CodeHost,
  })
  const other = depsOf('the other', async () => [])
  const late = depsOf('the late one', async () => {
    await sendDispatch(other, { id, again: true, cause: null })
    return []
  })
  await sendDispatch(late, { id, again: true, cause: null })
  t.same(sent, ['the other'])
  t.match(await world.rows('select state, workflow_run_id from dispatches'), [
    { state: 'awaiting', workflow_run_id: 1 },
  ])
})
