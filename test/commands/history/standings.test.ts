import t from 'tap'
import { planning, query, send, stack } from '#test/scenes/scene.ts'
import { archived, archivedStory } from './archived-story.ts'

t.test('how stacks stand by archived runs outlasts a second upload of a graph', async (t) => {
  const story = await archivedStory(t)
  const { world, key, planId, applyId } = story
  while (await archived(story));
  const views = async () => {
    const stacks: { key: string; status: string; last_plan: unknown; last_apply: unknown }[] = []
    for (const { id } of await query(world, 'select id from stacks order by key'))
      stacks.push((await send(world, key, `/v1/stacks/${id}`)).body)
    return stacks.map(({ key, status, last_plan, last_apply }) => ({ key, status, last_plan, last_apply }))
  }
  const before = await views()
  t.match(before, [
    { key: 'a', status: 'applied', last_plan: { run_id: planId }, last_apply: { run_id: applyId } },
    { key: 'b', status: 'failed', last_plan: { run_id: planId }, last_apply: { run_id: applyId } },
    { key: 'c', last_plan: { run_id: planId } },
  ])
  const { job, id } = await planning(world, ['a', 'b', 'c'])
  const graph = { stacks: ['a', 'b', 'c'].map((path) => stack(path)), edges: [], tree_hash: 'again' }
  t.match(await job.upload(id, { graph, stacks: ['c'] }), { status: 200 })
  await world.settled()
  const after = await views()
  t.same(after.slice(0, 2), before.slice(0, 2), 'what is not planned again is as it was')
  t.match(after[2], { key: 'c', last_plan: before[2]?.last_plan, last_apply: before[2]?.last_apply })
})
