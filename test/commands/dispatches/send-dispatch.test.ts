import { Client } from 'pg'
import t from 'tap'
import { addJobs } from '#db/queue/jobs.ts'
import { makeJob, type Payload } from '#jobs/job.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld, type World } from '#test/helpers/world.ts'
import { beginApplyOf } from '#test/scenes/applying.ts'
import {
  dispatched,
  dispatchedApply,
  dispatchedFor,
  dispatchedJob,
  dispatchesPath,
  dispatchStates,
  runFile,
  shiftingClock,
  standing,
  untilDispatchIs,
  warningsOf,
  withWorkflow,
} from '#test/scenes/dispatched.ts'
import { hostGate, planning, query } from '#test/scenes/scene.ts'

/* Dispatches that come to nothing, or that are never heard of again. */

const clock = shiftingClock()
const host = hostGate()
const world = await startWorld(t, { files: withWorkflow, replaced: { clock, fetch: host.fetch } })
const base = new URL(world.github.url).pathname.replace(/\/$/, '')

/** An apply that was begun; the test decides whether its wave goes out. */
const begun = async (key: string, on: World = world): Promise<string> => {
  const { id, pull } = await planning(on, [key])
  return beginApplyOf(on, { pull, waves: [[key]], planRunId: id, environment: 'prod' })
}

/** Lets this many minutes pass: timers ring, and their consequences are done. */
const pass = async (minutes: number, so: () => Promise<void>) => {
  clock.forward(minutes)
  await so()
  await world.settled()
  clock.back()
}

const reconcile = async (what: Payload<'reconcile'>['what'] = 'runs') => {
  await addJobs(world.pool, [makeJob('reconcile', { what }, { cause: null })])
  await world.settled()
}

const attempts = async (result: 'ok' | 'error'): Promise<number> => {
  const text = await (await fetch(`${world.service.url}/metrics`)).text()
  return Number(new RegExp(`^svc_dispatches_total{mode="apply",result="${result}"} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
}

const sentTimes = (runId: string) => dispatchedFor(world, runId).length

t.test(
  'a refusal by the code host gives one warning with what to do, and the dispatch is sent again each minute',
  async (t) => {
    await world.repository.push({ changes: { [runFile]: 'on: push\njobs: {}\n' } })
    const id = await begun('refused')
    await untilDispatchIs(world, id, 'refused')
    t.match(await warningsOf(world, id), [
      /422: Workflow does not have 'workflow_dispatch' trigger.*To do: svc-run.yml on main must be/,
    ])
    const again = async () => {
      const before = await query(
        world,
        `select count(*) from journal where kind = 'dispatch' and event->>'type' = 'dispatch.refused'`,
      )
      await until(async () => {
        const now = await query(
          world,
          `select count(*) from journal where kind = 'dispatch' and event->>'type' = 'dispatch.refused'`,
        )
        return now[0]?.count > before[0]?.count
      })
    }
    await pass(1.1, again)
    t.equal((await warningsOf(world, id)).length, 1, 'the same refusal gives no second warning')
    await world.repository.push({ changes: { [runFile]: withWorkflow[runFile] ?? '' } })
    await pass(2.2, () => until(async () => sentTimes(id) === 1))
    t.equal(sentTimes(id), 1)
    const played = (await dispatched(world, id)).play()
    t.match(await dispatchedJob(world, played).report(id, 'refused'), { status: 200 })
    t.equal(await standing(world, id), 'applied: refused applied')
  },
)

t.test('after half an hour of refusals no job will run its stacks', async (t) => {
  const refused = world.github.faults.add({
    ...{ kind: 'request', method: 'POST', path: dispatchesPath },
    effect: { status: 403, message: 'Resource not accessible by integration' },
  })
  const counted = [await attempts('ok'), await attempts('error')]
  const id = await begun('never')
  await untilDispatchIs(world, id, 'refused')
  t.same([await attempts('ok'), await attempts('error')], [counted[0], (counted[1] ?? 0) + 1])
  t.match(await warningsOf(world, id), [/'Actions: read and write'/])
  await pass(31, () => untilDispatchIs(world, id, 'lost'))
  refused.remove()
  t.equal(await standing(world, id), 'failed: never unknown')
  const [lock] = await query(
    world,
    `select state from locks l join stacks s on s.id = l.stack_id where s.key = 'never'`,
  )
  t.match(lock, { state: 'held.changed' }, 'a person must look')
  t.equal(sentTimes(id), 0)
})

t.test('a lost answer is looked into before anything is sent again', async (t) => {
  for (const effect of ['drop-after', { status: 502 }] as const) {
    const key = typeof effect === 'string' ? 'answer-lost' : 'bad-gateway'
    const lost = world.github.faults.add({ kind: 'request', method: 'POST', path: dispatchesPath, effect, times: 1 })
    const id = await begun(key)
    await lost.hasStruck()
    await until(async () => (await warningsOf(world, id)).length > 0)
    t.match(await warningsOf(world, id), [/no clear answer.*checks whether it started/])
    await pass(1.1, async () => {
      await until(async () => sentTimes(id) === 1 && !(await dispatchStates(world, id)).includes('0.1 refused'))
    })
    t.equal(sentTimes(id), 1, 'one workflow run, whether it was started at first or not')
    const played = (await dispatched(world, id)).play()
    t.match(await dispatchedJob(world, played).report(id, key), { status: 200 })
    played.complete('success')
    await world.settled()
    t.same(await dispatchStates(world, id), ['0.1 completed'])
  }
})

t.test('a worker that dies between sending and recording sends nothing twice', async (t) => {
  const { applyId, run } = await dispatchedApply(world, [['crash']])
  // the rows as they were when the code host had answered: the next attempt is the second
  await query(
    world,
    `with before as (update dispatches set state = 'requested', workflow_run_id = null, workflow_run_attempt = null,
       snapshot = '{"value": "requested", "context": {"wave": 0, "part": 1, "refusals": 0}}'
       where run_id = '${applyId}' returning id)
     insert into jobs (queue, kind, key, payload, attempt)
     select 'jobs', 'send_dispatch', id, jsonb_build_object('dispatch_id', id), 1 from before`,
  )
  await untilDispatchIs(world, applyId, 'bound')
  t.equal(sentTimes(applyId), 1)
  t.match(await query(world, `select workflow_run_id from dispatches where run_id = '${applyId}'`), [
    { workflow_run_id: run.id },
  ])
})

t.test('what was sent while its run was held by a stranger is not sent again', async (t) => {
  const vanish = world.github.faults.add({ kind: 'webhook', event: 'workflow_run', effect: 'vanish' })
  const request = host.hold(`${base}/repos/acme/infra/actions/workflows/svc-run.yml/dispatches`, 'POST')
  const id = await begun('held')
  await request.arrived
  const stranger = new Client({ connectionString: world.env.DATABASE_URL })
  await stranger.connect()
  await stranger.query(`begin; select from runs where id = '${id}' for update`)
  request.release()
  const putBack = `select from jobs where kind = 'send_dispatch' and state = 'queued' and last_error is not null`
  await until(async () => (await query(world, putBack)).length > 0)
  t.equal(sentTimes(id), 1)
  await stranger.end()
  await until(async () => !(await dispatchStates(world, id)).includes('0.1 requested'))
  t.equal(sentTimes(id), 1, 'it was looked for first')
  vanish.remove()
})

t.test(
  'a stack whose job is never picked up is unknown after half an hour, and a late job may still report',
  async (t) => {
    const vanish = world.github.faults.add({ kind: 'webhook', event: 'workflow_run', effect: 'vanish' })
    const { applyId, played } = await dispatchedApply(world, [['late']])
    t.same(await dispatchStates(world, applyId), ['0.1 awaiting'])
    await pass(29, async () => {})
    t.equal(await standing(world, applyId), 'applying: late applying')
    await pass(31, () => untilDispatchIs(world, applyId, 'lost'))
    t.equal(await standing(world, applyId), 'failed: late unknown')
    vanish.remove()
    const job = dispatchedJob(world, played)
    t.match(await job.join(applyId, { stacks: ['late'] }), { status: 200 }, 'its lock is still held')
    t.match(await job.report(applyId, 'late'), { status: 200, body: { status: 'applied' } })
    t.equal(await standing(world, applyId), 'applied: late applied')
  },
)

t.test('a workflow run that waits for an approval is picked up, and not lost', async (t) => {
  world.repository.environment('guarded', { reviewers: ['rob'] })
  const { applyId, played, run } = await dispatchedApply(world, [['waits']])
  await query(world, `update run_stacks set environment = 'guarded' where run_id = '${applyId}'`)
  const waiting = dispatchedJob(world, played, 'guarded')
  await world.settled()
  await reconcile()
  t.same(await dispatchStates(world, applyId), ['0.1 bound'])
  await pass(120, () => reconcile())
  t.equal(await standing(world, applyId), 'applying: waits applying')
  run.approve('guarded', 'rob')
  t.match(await waiting.report(applyId, 'waits'), { status: 200 })
  t.equal(await standing(world, applyId), 'applied: waits applied')
})

t.test('a workflow run that ends without a report leaves its stacks unknown', async (t) => {
  const { applyId, played } = await dispatchedApply(world, [['dies', 'lives']])
  await dispatchedJob(world, played).report(applyId, 'lives')
  played.complete('failure')
  await world.settled()
  t.equal(await standing(world, applyId), 'failed: dies unknown, lives applied')
  const failing = world.github.faults.add({ kind: 'workflow', path: runFile, effect: 'startup_failure', times: 1 })
  const id = await begun('startup')
  await failing.hasStruck()
  await untilDispatchIs(world, id, 'completed')
  t.equal(await standing(world, id), 'failed: startup unknown')
})

t.test('without any webhook each minute’s comparison binds and completes', async (t) => {
  const vanish = world.github.faults.add({ kind: 'webhook', event: 'workflow_run', effect: 'vanish' })
  const { applyId, played } = await dispatchedApply(world, [['quiet', 'told']])
  t.same(await dispatchStates(world, applyId), ['0.1 awaiting'])
  await pass(2, () => reconcile())
  t.same(await dispatchStates(world, applyId), ['0.1 bound'])
  await dispatchedJob(world, played).report(applyId, 'told')
  played.complete('success')
  await world.settled()
  t.equal(await standing(world, applyId), 'applying: quiet applying, told applied')
  await pass(2, () => reconcile())
  t.same(await dispatchStates(world, applyId), ['0.1 completed'])
  t.equal(await standing(world, applyId), 'failed: quiet unknown, told applied')
  vanish.remove()
})

t.test('without the workflow’s list each bound workflow run is asked for, and none taken for deleted', async (t) => {
  const vanish = world.github.faults.add({ kind: 'webhook', event: 'workflow_run', effect: 'vanish' })
  const gone = (path: string) =>
    world.github.faults.add({ kind: 'request', method: 'GET', path, effect: { status: 404, message: 'Not Found' } })
  const { applyId, played } = await dispatchedApply(world, [['orphan']])
  t.match(await dispatchedJob(world, played).join(applyId), { status: 200 })
  played.complete('failure')
  const list = gone('/repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs')
  const single = gone('/repos/{owner}/{repo}/actions/runs/{run_id}')
  await pass(2, () => reconcile())
  t.equal(await standing(world, applyId), 'applying: orphan applying', 'the repository itself may be out of sight')
  single.remove()
  await pass(2, () => reconcile())
  t.equal(await standing(world, applyId), 'failed: orphan unknown')
  list.remove()
  vanish.remove()
})

t.test('a wave or dispatch that lost its job gets another', async (t) => {
  const { applyId } = await dispatchedApply(world, [['first'], ['second']])
  await query(world, `delete from dispatches where run_id = '${applyId}'`)
  await pass(2, () => reconcile())
  await until(async () => (await dispatchStates(world, applyId))[0] === '0.1 bound')
  t.equal(sentTimes(applyId), 1, 'a wave without dispatches, as after a restore, is searched for first')
  await query(
    world,
    `update dispatches set state = 'requested', workflow_run_id = null, workflow_run_attempt = null,
     snapshot = '{"value": "requested", "context": {"wave": 0, "part": 1, "refusals": 0}}' where run_id = '${applyId}'`,
  )
  await pass(5, () => reconcile())
  t.same(await dispatchStates(world, applyId), ['0.1 bound'])
  t.equal(sentTimes(applyId), 1, 'the existing one is found')
})

t.test('a repository that the app was taken off refuses clearly', async (t) => {
  const { id, pull } = await planning(world, ['gone'])
  await query(world, 'update repositories set removed_at = now()')
  const applyId = await beginApplyOf(world, { pull, waves: [['gone']], planRunId: id })
  await untilDispatchIs(world, applyId, 'refused')
  await query(world, 'update repositories set removed_at = null')
  t.match(await warningsOf(world, applyId), [/app on acme\/infra was removed.*install/])
})

t.test(
  'a repository that the app was taken off reports nothing more, and after a day its stacks are unknown',
  async (t) => {
    const { applyId, played } = await dispatchedApply(world, [['unseen']])
    await dispatchedJob(world, played).join(applyId)
    await query(world, `update repositories set removed_at = now() - interval '23 hours'`)
    await reconcile()
    t.equal(await standing(world, applyId), 'applying: unseen applying', 'someone may put it back')
    await query(world, `update repositories set removed_at = now() - interval '25 hours'`)
    await reconcile()
    t.equal(await standing(world, applyId), 'failed: unseen unknown')
    const [lock] = await query(world, `select state from locks where run_id = '${applyId}'`)
    t.match(lock, { state: /^held/ })
    await query(world, 'update repositories set removed_at = null')
  },
)
