import t from 'tap'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { answersTo, policy } from '#test/scenes/commenting.ts'
import { planning, query } from '#test/scenes/scene.ts'

const seconds = (since: number): number => (performance.now() - since) / 1000

t.test(
  "an apply's dispatch and a command's answer come within seconds, while 60 check runs are written one a second",
  async (t) => {
    const world = await startWorld(t, { replaced: { paced: true } })
    world.repository.setPermission('rob', 'write')
    await policy(world, { approvals: 0 })
    const keys = Array.from({ length: 60 }, (_, index) => `stack-${index}`)
    const { pull, job, id } = await planning(world, keys)
    for (const key of keys) await job.report(id, key)
    const isWriting = `select id from jobs where kind = 'publish_stacks' and state = 'running'`
    await until(async () => (await query(world, isWriting)).length === 1)
    const asked = performance.now()
    pull.comment('svc apply stack-0', 'rob')
    const help = pull.comment('svc help', 'rob')
    const dispatches = `select id from dispatches where state <> 'requested'`
    await until(async () => (await query(world, dispatches)).length === 1)
    const dispatched = seconds(asked)
    await until(() => answersTo(pull, `comment ${help.id}`).length === 1)
    const answered = seconds(asked)
    t.ok(dispatched < 10, `the dispatch after ${dispatched} s`)
    t.ok(answered < 15, `the answer after ${answered} s`)
    t.comment(`dispatch ${dispatched} s, answer ${answered} s`)
    t.ok(
      (await query(world, `select name from check_runs where name like 'svc/plan: %'`)).length < 60,
      'check runs wait',
    )
  },
)
