import t from 'tap'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { beginApplyOf } from '#test/scenes/applying.ts'
import {
  dispatched,
  dispatchedFor,
  dispatchedJob,
  dispatchesPath,
  dispatchStates,
  shiftingClock,
  standing,
  untilDispatchIs,
  warningsOf,
  withWorkflow,
} from '#test/scenes/dispatched.ts'
import { planning, query } from '#test/scenes/scene.ts'

/* Dispatches that the code host puts off, because a rate limit is used up. */

const clock = shiftingClock()
const world = await startWorld(t, { files: withWorkflow, replaced: { clock } })

/** An apply whose dispatch is put off by so many seconds each time. */
const putOff = async (key: string, seconds: number) => {
  const effect = { secondaryRateLimit: { retryAfterSeconds: seconds } }
  const limit = world.github.faults.add({ kind: 'request', method: 'POST', path: dispatchesPath, effect })
  const { id, pull } = await planning(world, [key])
  const applyId = await beginApplyOf(world, { pull, waves: [[key]], planRunId: id, environment: 'prod' })
  await limit.hasStruck()
  await untilDispatchIs(world, applyId, 'refused')
  await world.settled()
  return { id: applyId, limit }
}

const resendIn = async (runId: string): Promise<number> => {
  const [row] = await query(
    world,
    `select extract(epoch from t.due_at - j.at)::int as seconds from dispatches d
      join timers t on t.kind = 'dispatch' and t.id = d.id::text and t.name = 'resend'
      join lateral (select max(at) as at from journal where kind = 'dispatch' and run_id = d.run_id) j on true
      where d.run_id = '${runId}'`,
  )
  return row?.seconds
}

t.test('the run says so, and the dispatch is sent when the code host takes requests again', async (t) => {
  const { id, limit } = await putOff('later', 240)
  t.match(await warningsOf(world, id), [/rate limit there is used up.*for 30 minutes at most/])
  t.equal(await resendIn(id), 240, 'the code host is left alone for as long as it asked')
  limit.remove()
  clock.forward(4.1)
  await until(() => dispatchedFor(world, id).length === 1)
  await world.settled()
  clock.back()
  const played = (await dispatched(world, id)).play()
  t.match(await dispatchedJob(world, played).report(id, 'later'), { status: 200 })
  t.equal(await standing(world, id), 'applied: later applied')
  t.equal((await warningsOf(world, id)).length, 1)
})

t.test('a limit that lasts longer than half an hour: the stacks are unknown by then', async (t) => {
  const { id, limit } = await putOff('tomorrow', 3600)
  clock.forward(29)
  await world.settled()
  t.same(await dispatchStates(world, id), ['0.1 refused'])
  clock.forward(2)
  await untilDispatchIs(world, id, 'lost')
  await world.settled()
  clock.back()
  limit.remove()
  t.equal(await standing(world, id), 'failed: tomorrow unknown')
  t.equal(dispatchedFor(world, id).length, 0)
})
