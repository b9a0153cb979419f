import t from 'tap'
import { findPlanView } from '#db/views/runs/plan-view.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { seedRepository, seedRun } from '#test/helpers/seed.ts'
import { openQueue } from '#test/scenes/queue.ts'

t.test('a check that failed goes on failing when its stack is planned again without it', async (t) => {
  const { pool, rows, clock } = await openQueue(t)
  await seedRepository(pool)
  const runtime = createRuntime({ pool, clock })
  const verdict = (runId: string, key: string, name: string, status: string) =>
    rows(
      `insert into checks (installation_id, run_id, stack_id, name, status, updated_at)
       select installation_id, $1, id, $3, $4, now() from stacks where key = $2`,
      [runId, key, name, status],
    )
  const verdicts = async () => {
    const { stacks = [] } = (await findPlanView(pool, 1, 1)) ?? {}
    return Object.fromEntries(
      stacks.map(({ key, checks }) => [key, checks.map(({ name, status }) => `${name} ${status}`)]),
    )
  }
  const first = await seedRun(pool, runtime, { waves: [['a', 'b']] })
  await verdict(first.runId, 'a', 'cost', 'fail')
  await verdict(first.runId, 'a', 'lint', 'pass')
  await verdict(first.runId, 'b', 'cost', 'pass')
  const again = await seedRun(pool, runtime, { waves: [['a', 'b']] })
  await rows(`update runs set trigger = 'comment' where id = $1`, [again.runId])
  t.same(await verdicts(), { a: ['cost fail'], b: [] }, 'a required check that passed must pass again')
  await verdict(again.runId, 'b', 'cost', 'fail')
  await verdict(again.runId, 'a', 'cost', 'pass')
  t.same(await verdicts(), { a: ['cost pass'], b: ['cost fail'] }, 'a new verdict replaces the old one')
  await seedRun(pool, runtime, { waves: [['a', 'b']] })
  t.same(await verdicts(), { a: [], b: [] }, 'the jobs of the pull request start afresh')
})

t.test('a plan is overtaken by another pull request’s later change, and by nothing else', async (t) => {
  const { pool, rows, clock } = await openQueue(t)
  await seedRepository(pool)
  const runtime = createRuntime({ pool, clock })
  const plan = async () => {
    const { runId } = await seedRun(pool, runtime, { waves: [['a', 'b']] })
    for (const key of ['a', 'b']) await report(runId, key)
    return runId
  }
  const report = (runId: string, key: string, outcome: 'changes' | 'none' | 'failed' = 'changes') => {
    clock.pass(1)
    const event = { type: 'result.reported', outcome, digest: key } as const
    return runtime.send({ to: { kind: 'stack', runId, key }, event, actor: 'runner' })
  }
  const overtaken = async () => {
    const { stacks = [] } = (await findPlanView(pool, 1, 1)) ?? {}
    return stacks.map((stack) => `${stack.key} ${stack.overtaken?.pr_number ?? '-'}`)
  }
  const planId = await plan()
  t.same(await overtaken(), ['a -', 'b -'])
  const own = await seedRun(pool, runtime, { mode: 'apply', waves: [['a']] })
  await rows('update run_stacks set plan_run_id = $1 where run_id = $2', [planId, own.runId])
  await report(own.runId, 'a', 'failed')
  t.same(await overtaken(), ['a -', 'b -'], 'an apply of this very plan may be tried again')
  const other = await seedRun(pool, runtime, { mode: 'apply', prNumber: 2, waves: [['b', 'c']] })
  t.same(await overtaken(), ['a -', 'b -'], 'while it is out the lock refuses')
  await report(other.runId, 'b')
  t.same(await overtaken(), ['a -', 'b 2'])
  await plan()
  t.same(await overtaken(), ['a -', 'b -'], 'planned again')
  await report(other.runId, 'c')
  t.same(await overtaken(), ['a -', 'b -'], 'another stack of that apply')
  const away = await seedRun(pool, runtime, { mode: 'apply', prNumber: 3, waves: [['a']] })
  const event = { type: 'runner.lost', reason: 'not_reported' } as const
  await runtime.send({ to: { kind: 'stack', runId: away.runId, key: 'a' }, event, actor: 'timer' })
  t.same(await overtaken(), ['a 3', 'b -'], 'what a lost job did is unknown')
  await plan()
  t.same(await overtaken(), ['a -', 'b -'], 'a plan saw what that was')
  await report(away.runId, 'a')
  t.same(await overtaken(), ['a 3', 'b -'], 'its late result: nobody knows that it was over before the plan')
})
