import t from 'tap'
import { startWorld } from '#test/helpers/world.ts'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { addKey, disagreements, secondInstance } from '#test/scenes/scene.ts'
import { playCrowd } from './crowd-of-applies.ts'

/* `npm run proof -- applies` plays the same with 200 pull requests. */

const pulls = Number(process.env.SVC_CROWD ?? 7)
const config = JSON.stringify({ version: 1, apply: { approvals: 0, mergeable: false } })

t.test(`${pulls} pull requests apply overlapping stacks at once, against two instances`, async (t) => {
  const world = await startWorld(t, { files: { ...withWorkflow, 'svc.yml': config } })
  const other = await secondInstance(t, world)
  const crowd = await playCrowd({
    instances: [world, other],
    pulls,
    stacks: Math.ceil(pulls * 0.6),
    apiKey: await addKey(world),
  })
  t.same(crowd.broken, [], 'no stack with two holders, nothing sent twice, every command answered, no deadlock')
  t.equal(crowd.applied, pulls, 'nobody starves')
  t.same(await disagreements(world), [])
  t.comment(`${crowd.commands} commands in ${crowd.rounds} rounds`)
})
