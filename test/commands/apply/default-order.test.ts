import t from 'tap'
import { startWorld } from '#test/helpers/world.ts'
import { report } from '#test/scenes/applying.ts'
import { comment, newestRun, policy } from '#test/scenes/commenting.ts'
import { opened, query, stack } from '#test/scenes/scene.ts'

/* The order that only the default branch's svc.yml makes: the graph of a pull request that drops it has no such edge. */

const world = await startWorld(t)
for (const login of ['ada', 'rob']) world.repository.setPermission(login, 'write')
const order = ['one', 'two'].map((place) => ({ match: `${place}/app`, depends_on: [`${place}/net`] }))
await policy(world, {}, { stacks: order })

/** A pull request that changes `net` alone, and whose svc.yml has no stacks: both are planned. */
const dropped = async (place: string) => {
  const { pull, job, id } = await opened(world)
  const keys = [`${place}/net`, `${place}/app`]
  const { body } = await job.upload(id, {
    graph: { stacks: keys.map((key) => stack(key)) },
    changed_paths: [`${place}/net/x.tf`],
  })
  for (const key of keys) await job.report(id, key)
  await world.settled()
  return { pull, waves: body.waves }
}

t.test('a stack is not applied without one that it depends on by the default branch’s word', async (t) => {
  const { pull, waves } = await dropped('one')
  t.same(waves, [['one/net'], ['one/app']])
  const { answers } = await comment(world, pull, 'svc apply one/app')
  t.match(answers, [/leaves out what the named stacks depend on.*`one\/app`.*`one\/net`/s])
  t.same((await comment(world, pull, 'svc apply one/net')).answers, [], 'and that one is applied alone')
})

t.test('a stack that fails blocks those that depend on it by the default branch’s word', async (t) => {
  const { pull } = await dropped('two')
  t.same((await comment(world, pull, 'svc apply')).answers, [])
  const applyId = await newestRun(world, pull, 'apply')
  await report(world, applyId, 'two/net', 'failed')
  const rows = await query(
    world,
    `select key, status, blocked_by from run_stacks where run_id = '${applyId}' order by wave`,
  )
  t.match(rows, [
    { key: 'two/net', status: 'failed' },
    { key: 'two/app', status: 'blocked', blocked_by: ['two/net'] },
  ])
})
