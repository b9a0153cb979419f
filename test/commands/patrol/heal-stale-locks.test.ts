import t from 'tap'
import { addJobs } from '#db/queue/jobs.ts'
import { makeJob } from '#jobs/job.ts'
import { startWorld } from '#test/helpers/world.ts'
import { applying, beginApplyOf, lockStates, lose, report } from '#test/scenes/applying.ts'
import { shiftingClock, withWorkflow } from '#test/scenes/dispatched.ts'
import { planning, query } from '#test/scenes/scene.ts'

/* Locks that nothing would free or remind of: a healthy system has none. */

const clock = shiftingClock()
const world = await startWorld(t, { files: withWorkflow, replaced: { clock } })

const look = async (minutes: number): Promise<void> => {
  clock.forward(minutes)
  await addJobs(world.pool, [makeJob('stale_locks', {}, { cause: null })])
  await world.settled()
  clock.back()
}

/** Does something to a pull request that no webhook reports. */
const unheard = async (act: () => unknown): Promise<void> => {
  const vanish = world.github.faults.add({ kind: 'webhook', effect: 'vanish' })
  await act()
  await world.settled()
  vanish.remove()
}

const reminders = (key: string) =>
  query(
    world,
    `select t.event, round(extract(epoch from t.due_at - l.taken_at))::int as after from timers t
     join stacks s on s.id::text = t.id join locks l on l.stack_id = s.id where t.kind = 'lock' and s.key = '${key}'`,
  )

t.test('locks with a reason are left alone', async (t) => {
  const open = await applying(world, [['open/claimed', 'open/changed', 'open/lost']])
  await report(world, open.applyId, 'open/changed')
  await lose(world, open.applyId, 'open/lost')
  const closed = await applying(world, [['closed/changed', 'closed/out']])
  await report(world, closed.applyId, 'closed/changed')
  await closed.pull.close()
  const merged = await applying(world, [['merged/out']])
  await merged.pull.merge()
  const plan = await planning(world, ['manual/out', 'manual/lost'])
  const manualId = await beginApplyOf(world, { waves: [['manual/out', 'manual/lost']], planRunId: plan.id })
  await lose(world, manualId, 'manual/lost')
  await world.settled()
  const held = () =>
    query(world, `select s.key, l.state, l.seq from locks l join stacks s on s.id = l.stack_id order by 1`)
  const before = await held()
  t.same(
    before.map(({ key, state }) => `${key}: ${state}`),
    [
      'closed/changed: held.orphaned',
      'closed/out: held.orphaned',
      'manual/lost: held.manual',
      'manual/out: held.manual',
      'merged/out: held.merged',
      'open/changed: held.changed',
      'open/claimed: held.claimed',
      'open/lost: held.changed',
    ],
  )
  const timers = await query(world, `select * from timers where kind = 'lock' order by id`)
  const asked = world.github.requests.length
  await addJobs(world.pool, [makeJob('stale_locks', {}, { cause: null })])
  await query(world, `update pull_requests set read_at = read_at - interval '2 hours'`)
  await query(world, `update runs set finished_at = finished_at - interval '2 hours'`)
  await addJobs(world.pool, [makeJob('stale_locks', {}, { cause: null })])
  await world.settled()
  t.same(await held(), before)
  t.same(await query(world, `select * from timers where kind = 'lock' order by id`), timers)
  t.equal(world.github.requests.length, asked, 'and nothing is asked')
})

t.test('locks follow a pull request whose end or return was read, but had no consequences', async (t) => {
  const { pull, applyId } = await applying(world, [['unheard/none', 'unheard/applied']])
  for (const [key, outcome] of [
    ['unheard/none', 'none'],
    ['unheard/applied', 'changes'],
  ] as const) {
    await report(world, applyId, key, outcome)
  }
  await unheard(async () => {
    await pull.close()
    await query(world, `update pull_requests set state = 'closed', read_at = now() where number = ${pull.number}`)
  })
  const states = () => lockStates(world, ['unheard/none', 'unheard/applied'])
  const before = { 'unheard/applied': 'held.changed', 'unheard/none': 'held.claimed' }
  t.same(await states(), before)
  await look(1)
  t.same(await states(), before, 'webhooks have their time first')
  await look(31)
  t.same(await states(), { 'unheard/applied': 'held.orphaned', 'unheard/none': 'free' })
  await unheard(async () => {
    await pull.reopen()
    await query(world, `update pull_requests set state = 'open', read_at = now() where number = ${pull.number}`)
  })
  t.equal((await states())['unheard/applied'], 'held.orphaned')
  await look(31)
  t.equal((await states())['unheard/applied'], 'held.changed')
})

/** Makes a lock forget its last news, as if its row had been restored. */
const forget = async (key: string, act: () => Promise<unknown>): Promise<void> => {
  const where = `stack_id = (select id from stacks where key = '${key}')`
  await query(world, `create table kept as select * from locks where ${where}`)
  await act()
  await query(
    world,
    `update locks l set state = k.state, run_id = k.run_id, pr_number = k.pr_number, taken_at = k.taken_at,
       snapshot = k.snapshot from kept k where k.stack_id = l.stack_id`,
  )
  await query(world, 'drop table kept')
}

t.test('a lock that had not heard of the end of its run hears of it', async (t) => {
  const plan = await planning(world, ['run/fails', 'run/never'])
  const manualId = await beginApplyOf(world, { waves: [['run/fails'], ['run/never']], planRunId: plan.id })
  await forget('run/never', () => report(world, manualId, 'run/fails', 'failed'))
  const merged = await applying(world, [['run/merged']])
  await merged.pull.merge()
  await world.settled()
  await forget('run/merged', () => report(world, merged.applyId, 'run/merged'))
  const states = () => lockStates(world, ['run/never', 'run/merged'])
  t.same(await states(), { 'run/merged': 'held.merged', 'run/never': 'held.manual' })
  await look(1)
  t.same(await states(), { 'run/merged': 'held.merged', 'run/never': 'held.manual' })
  await look(31)
  t.same(await states(), { 'run/merged': 'free', 'run/never': 'free' })
})

t.test('a lock whose reminder is lost gets it again', async (t) => {
  await applying(world, [['reminded']])
  const before = await reminders('reminded')
  t.match(before, [{ event: { type: 'reminder.due' }, after: 86_400 }])
  await query(world, `delete from timers where kind = 'lock'`)
  await look(0)
  t.same(await reminders('reminded'), before)
})
