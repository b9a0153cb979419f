import t from 'tap'
import { type Untold, untoldStacks } from '#db/views/runs/untold-stacks.ts'
import { statusesByWeight } from '#domain/checks/check-run-order.ts'
import { startWorld } from '#test/helpers/world.ts'
import { planning, query } from '#test/scenes/scene.ts'

const world = await startWorld(t)

/** Keys of the stacks whose check runs may have to be written, in the order in which they would be. */
const untold = async (
  runId: string,
  {
    saidOfRun = 'as it was',
    ended,
    settledOver,
    seen = [],
    atMost = 200,
  }: Partial<Omit<Untold, 'runId' | 'weights'>> = {},
) => {
  const rows = await query(world, `select stack_id, key from run_stacks where run_id = '${runId}'`)
  const keys = new Map(rows.map(({ stack_id, key }) => [stack_id, String(key)]))
  const found = await untoldStacks(world.pool, {
    runId,
    saidOfRun,
    ended,
    weights: statusesByWeight,
    settledOver,
    seen,
    atMost,
  })
  return found.untold.map(({ stackId }) => keys.get(stackId))
}

const set = (runId: string, change: string, where = 'true') =>
  query(world, `update run_stacks set ${change} where run_id = '${runId}' and ${where} returning 1`)

const tell = (runId: string, saidOfRun = 'as it was') =>
  query(
    world,
    `update check_runs c set made_of = hashtextextended(concat_ws(' ', s.rev, l.fence, l.run_id, '${saidOfRun}'), 0)
     from run_stacks s left join locks l on l.stack_id = s.stack_id
     where s.run_id = '${runId}' and c.run_id = s.run_id and c.stack_id = s.stack_id returning 1`,
  )

const made = async (runId: string) =>
  query(
    world,
    `select name, made_of is not null as told from check_runs where run_id = '${runId}' and stack_id is not null order by name`,
  )

t.test('of a run whose check runs are written, only a stack that changed is looked at again', async (t) => {
  const { job, id, pull, stackPath } = await planning(world, ['a', 'b', 'c'])
  await job.report(id, 'a')
  await world.settled()
  t.same(await made(id), [
    { name: 'svc/plan: a', told: true },
    { name: 'svc/plan: b', told: true },
    { name: 'svc/plan: c', told: true },
  ])
  await tell(id)
  t.same(await untold(id), [])
  await job.report(id, 'b')
  t.same(await untold(id), ['b'])
  t.same(
    await untold(id, { saidOfRun: 'it ended' }),
    ['a', 'b', 'c'],
    'all once more when they say something else of the run',
  )
  await world.settled()
  const before = world.github.requests.length
  await set(id, 'rev = rev + 1')
  await job.post(`${stackPath('c')}/checks/policy`, { status: 'fail' })
  await world.settled()
  t.equal(pull.checkRuns().find(({ name }) => name === 'svc/policy: c')?.conclusion, 'failure')
  const ofStacks = new Set(pull.checkRuns().flatMap(({ id, name }) => (/^svc\/plan: /.test(name) ? [String(id)] : [])))
  const patched = world.github.requests
    .slice(before)
    .filter(({ method, path }) => method === 'PATCH' && ofStacks.has(path.replace(/.*\//, '')))
  t.equal(ofStacks.size, 3)
  t.same(patched, [], 'what is made again and the same is not sent')
})

t.test(
  'failures come first, then what was cut off, then what went well; what is under way is left for later in a large run',
  async (t) => {
    const { id } = await planning(world, ['a', 'b', 'c', 'd', 'e'])
    await world.settled()
    await set(id, `status = 'planned', rev = rev + 1`, `key in ('a', 'e')`)
    await set(id, `status = 'blocked', rev = rev + 1`, `key = 'b'`)
    await set(id, `status = 'failed', rev = rev + 1`, `key = 'c'`)
    await set(id, 'rev = rev + 1', `key = 'd'`)
    await query(
      world,
      `insert into checks (installation_id, run_id, stack_id, name, status, updated_at)
     select installation_id, run_id, stack_id, 'policy', 'fail', now() from run_stacks where run_id = '${id}' and key = 'e' returning 1`,
    )
    t.same(await untold(id), ['c', 'e', 'b', 'a', 'd'])
    t.same(await untold(id, { settledOver: 4 }), ['c', 'e', 'b', 'a'])
    t.same(await untold(id, { settledOver: 5 }), ['c', 'e', 'b', 'a', 'd'])
    t.same(await untold(id, { atMost: 2 }), ['c', 'e'], 'so many at once')
    const seen = await query(world, `select stack_id from run_stacks where run_id = '${id}' and key in ('c', 'e')`)
    t.same(
      await untold(id, { atMost: 2, seen: seen.map(({ stack_id }) => String(stack_id)) }),
      ['b', 'a'],
      'those that were found before are left out',
    )
  },
)

t.test(
  'a lock that was taken and is free again is a change; so is, for a stack that is open, that the run ended',
  async (t) => {
    const { job, id } = await planning(world, ['locked', 'open', 'planned'])
    await job.report(id, 'planned')
    await world.settled()
    await tell(id)
    await query(
      world,
      `insert into locks (installation_id, stack_id, repo_id, state, snapshot, version, seq, fence)
     select s.installation_id, s.stack_id, r.repo_id, 'free', '{}', 1, 1, 1 from run_stacks s join runs r on r.id = s.run_id
     where s.run_id = '${id}' and s.key = 'locked' returning 1`,
    )
    t.same(await untold(id), ['locked'])
    await tell(id)
    t.same(await untold(id), [])
    t.same(await untold(id, { ended: 'superseded' }), ['locked', 'open'])
  },
)

t.test('check runs from before are looked at once more, and not sent', async (t) => {
  const { job, id } = await planning(world, ['old', 'new'])
  await world.settled()
  await query(world, `update check_runs set stack_id = null, made_of = null where run_id = '${id}' returning 1`)
  const before = world.github.requests.length
  await job.report(id, 'new')
  await world.settled()
  t.same(await made(id), [
    { name: 'svc/plan: new', told: true },
    { name: 'svc/plan: old', told: true },
  ])
  const sent = world.github.requests
    .slice(before)
    .filter(({ method, path }) => method !== 'GET' && /check-runs/.test(path))
  t.same(
    sent.map(({ method }) => method),
    ['PATCH', 'PATCH'],
    "the new stack's, and that of the run",
  )
})
