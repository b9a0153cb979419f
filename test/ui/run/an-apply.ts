import type { World } from '#test/helpers/world.ts'
import { comment, newestRun, planned, policy } from '#test/scenes/commenting.ts'
import { dispatched, dispatchedJob } from '#test/scenes/dispatched.ts'
import { dependsOn } from '#test/scenes/scene.ts'

const names = ['platform/network', 'data/cache', 'data/database', 'apps/storefront']

/** Three waves: the network, then database and cache, then what needs the database. */
const edgesBelow = (below: string) => [
  dependsOn(`${below}data/database`, `${below}platform/network`),
  dependsOn(`${below}data/cache`, `${below}platform/network`),
  dependsOn(`${below}apps/storefront`, `${below}data/database`),
]

/** What each stack's apply changes. */
const summaryOf = (key: string) => ({
  ...{ adds: 1, changes: 0, destroys: key === 'data/database' ? 2 : 0, replaces: key === 'platform/network' ? 1 : 0 },
  added: [`aws_thing.new["${key}"]`],
  destroyed: key === 'data/database' ? ['aws_security_group_rule.legacy', 'aws_db_instance.old'] : [],
  replaced: key === 'platform/network' ? ['aws_subnet.a'] : [],
})

/** A pull request's apply by rob, of which the first wave is out; `below` a directory if it is not the first of its world. */
export const beginApply = async (world: World, below = '') => {
  world.repository.setPermission('rob', 'write')
  await policy(world, {})
  const keys = names.map((name) => `${below}${name}`)
  const plan = await planned(world, keys, edgesBelow(below))
  await comment(world, plan.pull, 'svc apply')
  const id = await newestRun(world, plan.pull, 'apply')
  const job = async (wave: string) => {
    const run = await dispatched(world, id, wave)
    const played = run.play()
    const job = dispatchedJob(world, played, 'default')
    await job.join(id)
    return {
      played,
      report: (key: string, more: object = {}) => job.report(id, key, { summary: summaryOf(key), ...more }),
    }
  }
  return { planId: plan.id, id, job }
}

/** Its first wave applies, its second fails in one stack and loses the other, its third is blocked. */
export const failedApply = async (world: World) => {
  const { planId, id, job } = await beginApply(world)
  const first = await job('0')
  await first.report('platform/network')
  first.played.complete('success')
  await world.settled()
  const second = await job('1')
  await second.report('data/database', { status: 'failure', exit_code: 1 })
  await world.settled()
  second.played.complete('failure')
  await world.settled()
  return { planId, id }
}
