import t, { type Test } from 'tap'
import { foldStackCounts } from '#db/machines/stack-standings.ts'
import { playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'
import { applying, lose, report } from '#test/scenes/applying.ts'
import { opened, planning, query, stack } from '#test/scenes/scene.ts'
import { brokenStandings } from '#test/scenes/standings.ts'

const world = await startWorld(t)

const standing = async (key: string) =>
  (
    await query(
      world,
      `select n.status, n.run_id, n.plan_run_id, n.apply_run_id, n.apply_status from stack_standings n join stacks s on s.id = n.stack_id
       where s.key = '${key}'`,
    )
  )[0]

const isSound = async (test: Test): Promise<void> => {
  await world.settled()
  test.same(await brokenStandings(world.pool), [])
}

t.test('a stack stands as its newest run has it, whichever of two ends first', async (t) => {
  const older = await planning(world, ['shared'])
  const newer = await planning(world, ['shared'])
  t.match(await standing('shared'), { status: 'planning', run_id: newer.id, plan_run_id: null })
  await newer.job.report(newer.id, 'shared')
  t.match(await standing('shared'), { status: 'planned', plan_run_id: newer.id })
  await older.job.report(older.id, 'shared', { status: 'failure', exit_code: 1 })
  t.match(await standing('shared'), { status: 'planned', plan_run_id: newer.id })
  await isSound(t)
})

t.test('a run that is resolved again without a stack leaves it as it stood before', async (t) => {
  const before = await planning(world, ['kept', 'left'])
  for (const key of ['kept', 'left']) await before.job.report(before.id, key)
  const { pull, job, id } = await opened(world)
  const graph = { stacks: [stack('kept'), stack('left'), stack('fresh')] }
  await job.upload(id, { graph, stacks: ['kept', 'left', 'fresh'] })
  for (const key of ['left', 'fresh']) await job.report(id, key)
  t.match(await standing('left'), { run_id: id, plan_run_id: id })
  const again = playJob(world, pull)
  await again.open()
  t.equal((await again.upload(id, { graph, stacks: ['kept'] })).status, 200)
  t.match(await standing('left'), { status: 'planned', run_id: before.id, plan_run_id: before.id })
  t.match(await standing('fresh'), { status: null, run_id: null, plan_run_id: null })
  t.match(await standing('kept'), { status: 'planning', run_id: id, plan_run_id: before.id })
  await isSound(t)
})

t.test('an apply, waiting, failed, blocking and lost', async (t) => {
  const { applyId } = await applying(world, [['base'], ['middle'], ['top']])
  t.match(await standing('top'), { status: 'pending', run_id: applyId, apply_run_id: null })
  await report(world, applyId, 'base')
  await lose(world, applyId, 'middle')
  t.match(await standing('base'), { status: 'applied', apply_run_id: applyId, apply_status: 'applied' })
  t.match(await standing('middle'), { status: 'unknown', apply_status: 'unknown' })
  await report(world, applyId, 'middle', 'failed')
  t.match(await standing('middle'), { status: 'failed', apply_status: 'failed' })
  await isSound(t)
})

t.test('the counts are the same before and after they are folded', async (t) => {
  await foldStackCounts(world.pool)
  t.same(await query(world, 'select * from stack_count_changes'), [])
  t.same(await brokenStandings(world.pool), [])
  t.ok((await query(world, 'select * from stack_counts where stacks > 0')).length > 1)
})

t.test('a stack that the default branch no longer has is not counted', async (t) => {
  const count = async () =>
    (await query(world, `select count(*)::int4 as n from stack_standings where listed and status is not null`))[0]?.n
  const { pull, job, id } = await opened(world)
  await job.upload(id, { graph: { stacks: [stack('alone')] }, stacks: ['alone'] })
  await job.report(id, 'alone')
  await pull.merge('ada')
  await world.settled()
  t.equal(await count(), 1)
  await isSound(t)
})
