import t from 'tap'
import { nudge } from '#test/helpers/nudge.ts'
import { playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'
import { pushPolicy } from '#test/scenes/commenting.ts'
import { driftRun } from '#test/scenes/drifting.ts'
import { openPull, query, stack } from '#test/scenes/scene.ts'

/* The plan in the issue of a stack that drifted (svc.yml, `drift.plan`). */

const world = await startWorld(t)
const { repository } = world

const pull = await openPull(world, {})
const job = playJob(world, pull)
const { run_id: id } = (await job.open()).body
await job.upload(id, { graph: { stacks: [stack('a'), stack('b')] }, stacks: ['a', 'b'] })
await pull.merge()
await world.settled()

const check = async (key: string, planText: string | null, changes = 1): Promise<void> => {
  await driftRun(world, key, changes === 0 ? 'none' : 'changes', { changes, changed: [`${key}.it`] }, planText)
  await nudge(world.pool)
  await world.settled()
}
const says = async (drift: string) => {
  await pushPolicy(world, `version: 1\n${drift}`)
  await world.settled()
}
const issueOf = (key: string) => repository.issues().find((one) => one.now().title === `svc: ${key} drifted`)
const now = (key: string) => {
  const { state, body, updatedAt } = issueOf(key)?.now() ?? {}
  return { state, body: body ?? '', updatedAt }
}

t.test('drift.plan keeps an issue, once, with the plan of the newest check', async (t) => {
  await check('a', 'plan one')
  t.equal(issueOf('a'), undefined, 'nothing asks for issues')
  await says('drift: { plan: true }\n')
  await check('a', 'plan one')
  t.match(now('a'), { state: 'open', body: /The plan that would mend it.*plan one/s })
  const { updatedAt } = now('a')
  await check('a', 'plan one')
  t.equal(now('a').updatedAt, updatedAt, 'the same plan changes nothing')
  await check('a', 'plan two')
  t.match(now('a'), { state: 'open', body: /plan two/ })
  t.notMatch(now('a').body, /plan one/)
  await check('a', null)
  t.notMatch(now('a').body, /would mend it/, 'a result without a text')
  t.equal(repository.issues().length, 1)
  t.same(await query(world, `select 1 from runs where mode = 'apply'`), [], 'nothing is applied')
})

t.test('another plan of the same drift opens nothing that a person closed, or deleted', async (t) => {
  await check('a', 'plan three')
  issueOf('a')?.close('ada')
  await check('a', 'plan four')
  t.match(now('a'), { state: 'closed', body: /plan four/ })
  await check('a', 'plan four', 2)
  t.match(now('a'), { state: 'open', body: /~2.*plan four/s }, 'other drift does')
  await check('a', null, 0)
  t.match(now('a'), { state: 'closed', body: /No drift any more/ })
  await check('b', 'plan one')
  issueOf('b')?.delete()
  await check('b', 'plan two')
  t.equal(issueOf('b'), undefined)
  await check('b', 'plan two', 2)
  t.match(now('b'), { state: 'open', body: /plan two/ })
})

t.test('a long plan is there with its beginning, and not edited once the bucket has the rest', async (t) => {
  await says('drift: { plan: true }\n')
  const long = `plan three\n${'~ a line of it\n'.repeat(2000)}`
  await check('b', long, 2)
  t.match(now('b').body, /plan three.*The plan goes on on the page of the check/s)
  const { body, updatedAt } = now('b')
  t.ok(body.length < 12_000)
  await check('b', `${long}and another end`, 2)
  t.equal(now('b').updatedAt, updatedAt)
})

t.test('without drift.plan the issues go on without plans', async (t) => {
  await says('drift: { issues: true }\n')
  await check('b', 'plan two', 2)
  t.match(now('b'), { state: 'open', body: /~2/ })
  t.notMatch(now('b').body, /plan two/)
})
