import t from 'tap'
import { startWorld } from '#test/helpers/world.ts'
import { lockStates, lose, report } from '#test/scenes/applying.ts'
import { comment, planned } from '#test/scenes/commenting.ts'
import { query } from '#test/scenes/scene.ts'

/* `svc unlock` in a comment. */

const world = await startWorld(t, { files: { 'svc.yml': 'version: 1\napply:\n  approvals: 0\n' } })
for (const login of ['ada', 'rob']) world.repository.setPermission(login, 'write')

const appliesOf = async (number: number): Promise<string[]> =>
  (await query(world, `select id from runs where pr_number = ${number} and mode = 'apply' order by created_at`)).map(
    (row) => row.id,
  )

t.test('unlock releases what the pull request holds, and says so once', async (t) => {
  const keys = ['held/a', 'held/b', 'held/c']
  const { pull } = await planned(world, keys)
  await comment(world, pull, 'svc apply')
  const [runId = ''] = await appliesOf(pull.number)
  for (const key of keys) await report(world, runId, key)
  await world.settled()
  t.same(await lockStates(world, keys), {
    'held/a': 'held.changed',
    'held/b': 'held.changed',
    'held/c': 'held.changed',
  })

  const other = await planned(world, keys)
  const asked = await comment(world, other.pull, 'svc unlock')
  t.match(asked.answers, [
    new RegExp(
      `Nothing was released.*\`held/a\` by pull request #${pull.number}.*svc unlock\` in #${pull.number}`,
      's',
    ),
  ])
  t.match((await comment(world, pull, 'svc unlock held/x')).answers, [/`held\/x`: matches no stack/])

  const one = await comment(world, pull, 'svc unlock held/a')
  t.match(one.answers, [/Released one lock.*`held\/a`, held since.*\*\*Next:\*\*/s])
  t.same((await lockStates(world, keys))['held/b'], 'held.changed')
  await pull.close()
  await world.settled()
  const rest = await comment(world, pull, 'svc unlock')
  t.match(rest.answers, [/Released 2 locks.*`held\/b`.*`held\/c`/s], 'also when it is closed')
  t.same(await lockStates(world, keys), { 'held/a': 'free', 'held/b': 'free', 'held/c': 'free' })
  t.notOk(
    pull.comments().some(({ body }) => /lock was released|locks were released/.test(body)),
    'and not a second time in a comment about the lock',
  )
  const audits = await query(world, `select actor, details from audit where action = 'unlock' order by id`)
  t.same(
    audits.map(({ actor }) => actor),
    ['rob', 'rob', 'rob'],
  )
  t.match((await comment(world, pull, 'svc unlock')).answers, [/holds no lock/])
})

t.test('a named stack of the plan may have no lock', async (t) => {
  const { pull } = await planned(world, ['locked', 'never'])
  t.match((await comment(world, pull, 'svc unlock never')).answers, [
    /Nothing was released: the named stacks are not locked/,
  ])
  await comment(world, pull, 'svc apply locked')
  const [runId = ''] = await appliesOf(pull.number)
  await report(world, runId, 'locked')
  await world.settled()
  t.match((await comment(world, pull, 'svc unlock never')).answers, [/Nothing was released: the named/])
  t.match((await lockStates(world, ['locked'])).locked, 'held.changed')
  t.match((await comment(world, pull, 'svc unlock locked never')).answers, [/Released one lock.*`locked`/s])
  t.same(await lockStates(world, ['locked']), { locked: 'free' })
  t.match((await comment(world, pull, 'svc unlock nowhere')).answers, [
    /names stacks that do not exist here.*`nowhere`: matches no stack/s,
  ])
})

t.test('an unlock in the middle of an apply says what that means', async (t) => {
  const { pull } = await planned(world, ['middle'])
  await comment(world, pull, 'svc apply')
  const { answers } = await comment(world, pull, 'svc unlock')
  t.match(answers, [/Released one lock.*is still in flight/s])
})

t.test('an unlock after a runner that died asks to check the state lock', async (t) => {
  const keys = ['seen', 'unseen']
  const { pull } = await planned(world, keys)
  await comment(world, pull, 'svc apply')
  const [runId = ''] = await appliesOf(pull.number)
  await report(world, runId, 'seen')
  await lose(world, runId, 'unseen')
  await world.settled()
  const { answers } = await comment(world, pull, 'svc unlock')
  t.match(answers, [
    /`unseen`, held since [^\n]*without a report, ⚠️ check the state lock.*\*\*Next:\*\*.*force-unlock/s,
  ])
  t.notMatch(answers[0], /`seen`[^\n]*state lock/)
  const audits = await query(
    world,
    `select details->>'stack' as stack, details->'force_state' as forced from audit
     where action = 'unlock' and details->>'stack' like '%seen' order by 1`,
  )
  t.same(audits, [
    { stack: 'seen', forced: false },
    { stack: 'unseen', forced: true },
  ])
})
