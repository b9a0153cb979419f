import t from 'tap'
import { addJobs } from '#db/queue/jobs.ts'
import type { PullRequestHandle } from '#emulator/handles.ts'
import { makeJob, type Payload } from '#jobs/job.ts'
import { portionRows } from '#portions.ts'
import { playJob } from '#test/helpers/runner.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { shiftingClock, standing } from '#test/scenes/dispatched.ts'
import { openPull, query, stack } from '#test/scenes/scene.ts'
import { shownStacks } from '#workers/publish/shown-stacks.ts'

/* Workflow runs of pull requests that end without their results, and what is found without a webhook. */

const clock = shiftingClock()
const world = await startWorld(t, { replaced: { clock } })

const reconcile = async (what: Payload<'reconcile'>['what'], minutes = 0) => {
  clock.forward(minutes)
  await addJobs(world.pool, [makeJob('reconcile', { what }, { cause: null })])
  await world.settled()
  clock.back()
}

/** The run of a pull request whose own workflow run exists at the code host; it is planning if there are stacks. */
const planned = async (pull: PullRequestHandle, stacks: string[] = []) => {
  const run = await pull.playWorkflowRun()
  const job = playJob(world, pull, { workflowRunId: run.id })
  const id = String((await job.open()).body.run_id)
  if (stacks.length > 0) await job.upload(id, { graph: { stacks: stacks.map((path) => stack(path)) }, stacks })
  return { run, job, id }
}

const failureOf = async (id: string) => (await query(world, `select failure from runs where id = '${id}'`))[0]?.failure

t.test('a workflow run that ends without a graph fails its run', async (t) => {
  const pull = await openPull(world, {})
  const { run, id } = await planned(pull)
  run.complete('failure')
  await world.settled()
  t.equal(await standing(world, id), 'failed: ')
  t.same(await failureOf(id), { reason: 'the workflow run ended without a graph' })
  t.match(pull.checkRuns(), [{ name: 'svc/resolve', conclusion: 'failure' }], 'and says so')
})

t.test('a workflow run that ends without results leaves their stacks unknown, and its plan is final', async (t) => {
  const pull = await openPull(world, {})
  const { run, id, job } = await planned(pull, ['a', 'b'])
  await job.report(id, 'a')
  run.complete('cancelled')
  await world.settled()
  t.equal(await standing(world, id), 'failed: a planned, b unknown')
  t.match(await query(world, `select lost from run_stacks where run_id = '${id}' and key = 'b'`), [
    { lost: 'workflow_finished' },
  ])
  const failedJobsAgain = playJob(world, pull, { workflowRunId: run.id, attempt: 2 })
  for (const late of [job, failedJobsAgain]) {
    t.match(await late.report(id, 'b'), {
      status: 409,
      body: { code: 'conflict', message: /the run is failed.*re-run all jobs.*svc plan/ },
    })
  }
  t.match(await job.report(id, 'a'), { status: 200 }, 'what was recorded may be repeated')
  t.equal(await standing(world, id), 'failed: a planned, b unknown')
  await pull.push({ 'notes/newer.md': 'newer\n' })
  await playJob(world, pull).open()
  t.match(await job.report(id, 'b'), { status: 409, body: { code: 'superseded' } })
})

t.test('another attempt that took the run over is not ended by the first', async (t) => {
  const pull = await openPull(world, {})
  const { run, id } = await planned(pull, ['c'])
  const vanish = world.github.faults.add({ kind: 'webhook', event: 'workflow_run', effect: 'vanish' })
  run.complete('failure')
  vanish.remove()
  const [handle] = world.repository.workflowRuns().filter((one) => one.id === run.id)
  handle?.rerun()
  const second = handle!.play()
  const job = playJob(world, pull, { workflowRunId: run.id, attempt: 2 })
  t.match(await job.open(), { status: 200, body: { run_id: id } })
  await world.settled()
  await reconcile('runs', 6)
  t.equal(await standing(world, id), 'planning: c planning', 'the second is under way')
  second.complete('success')
  await world.settled()
  t.equal(await standing(world, id), 'failed: c unknown')
})

t.test('unrelated workflow runs cost nothing', async (t) => {
  const pull = await openPull(world, {})
  const { id } = await planned(pull)
  const asked = () => world.github.requests.filter(({ route }) => route.endsWith('/actions/runs/{run_id}')).length
  const before = asked()
  const other = await pull.playWorkflowRun({ path: '.github/workflows/tests.yml' })
  other.complete('failure')
  await world.settled()
  t.equal(asked(), before)
  t.equal(await standing(world, id), 'pending: ')
})

t.test('without a webhook, plans whose workflow run ended are settled some minutes later', async (t) => {
  const vanish = world.github.faults.add({ kind: 'webhook', event: 'workflow_run', effect: 'vanish' })
  const [pending, planning, running, deleted] = await Promise.all([
    planned(await openPull(world, {})),
    planned(await openPull(world, {}), ['d']),
    planned(await openPull(world, {}), ['e']),
    planned(await openPull(world, {}), ['f']),
  ])
  pending.run.complete('failure')
  planning.run.complete('success')
  await query(world, `update runs set workflow_run_id = 999999 where id = '${deleted.id}'`)
  await reconcile('runs')
  t.equal(await standing(world, planning.id), 'planning: d planning', 'webhooks have their time first')
  await reconcile('runs', 6)
  t.equal(await standing(world, pending.id), 'failed: ')
  t.equal(await standing(world, planning.id), 'failed: d unknown')
  t.equal(await standing(world, running.id), 'planning: e planning')
  t.equal(await standing(world, deleted.id), 'failed: f unknown', 'only what is completed can be deleted there')
  vanish.remove()
})

t.test(
  'the plan of a repository that the code host does not show is left as it is, and settled once it does',
  async (t) => {
    const plan = await planned(await openPull(world, {}), ['h'])
    await query(world, `update runs set workflow_run_id = 999998 where id = '${plan.id}'`)
    const path = /^\/repos\/[^/]+\/[^/]+\/(actions|git)\//
    const hidden = world.github.faults.add({ kind: 'request', path, effect: { status: 404, message: 'Not Found' } })
    await reconcile('runs', 6)
    await hidden.hasStruck()
    t.equal(await standing(world, plan.id), 'planning: h planning')
    hidden.remove()
    await reconcile('runs', 7)
    t.equal(await standing(world, plan.id), 'failed: h unknown')
  },
)

const pullRow = async ({ number }: PullRequestHandle) =>
  (await query(world, `select state, head_sha from pull_requests where number = ${number}`))[0]

t.test('deliveries that never arrived are asked for again, each once', async (t) => {
  const [one, two] = [await openPull(world, {}), await openPull(world, {})]
  await world.settled()
  const attempts = () =>
    world.github.requests.filter(({ route }) => route === '/app/hook/deliveries/{delivery_id}/attempts').length
  const lose = world.github.faults.add({ kind: 'webhook', event: 'pull_request', effect: 'lose', times: 2 })
  for (const [pull, made] of [
    [one, 1],
    [two, 2],
  ] as const) {
    await pull.close()
    await world.settled()
    t.match(await pullRow(pull), { state: 'open' })
    await reconcile('deliveries')
    t.match(await pullRow(pull), { state: 'closed' })
    t.equal(attempts(), made, 'not those that arrived meanwhile')
  }
  t.equal(lose.struck(), 2)
  await reconcile('deliveries')
  t.equal(attempts(), 2, 'none is left')
})

t.test('the search for deliveries outlasts a code host that is away, and a refused redelivery', async (t) => {
  const { faults } = world.github
  const pulls = [await openPull(world, {}), await openPull(world, {})]
  await world.settled()
  faults.add({ kind: 'webhook', event: 'pull_request', effect: 'lose', times: 2 })
  for (const pull of pulls) await pull.close()
  await world.settled()
  const away = faults.add({ kind: 'request', method: 'GET', path: '/app/hook/deliveries', effect: 'drop-before' })
  const path = '/app/hook/deliveries/{delivery_id}/attempts'
  faults.add({ kind: 'request', method: 'POST', path, effect: { status: 422, message: 'no' }, times: 1 })
  await addJobs(world.pool, [makeJob('reconcile', { what: 'deliveries' }, { cause: null })])
  const waiting = () =>
    query(
      world,
      `select attempt, run_at < now() + interval '61 s' as soon from jobs
       where kind = 'reconcile' and key = 'deliveries' and state = 'queued' and last_error <> ''`,
    )
  await until(async () => (await waiting()).length === 1)
  t.same(await waiting(), [{ attempt: 0, soon: true }])
  away.remove()
  await query(world, `update jobs set run_at = now() where state = 'queued'`)
  await world.settled()
  const states = await Promise.all(pulls.map(async (pull) => (await pullRow(pull))?.state))
  t.same(states.sort(), ['closed', 'open'])
})

t.test('pull requests that differ from the code host’s are read again', async (t) => {
  const [closed, pushed, reopened, same] = [
    await openPull(world, {}),
    await openPull(world, {}),
    await openPull(world, {}),
    await openPull(world, {}),
  ]
  await reopened.close()
  await world.settled()
  const vanish = world.github.faults.add({ kind: 'webhook', event: 'pull_request', effect: 'vanish' })
  await closed.close()
  const head = await pushed.push({ 'notes/unheard.md': 'new\n' })
  await reopened.reopen()
  await world.settled()
  vanish.remove()
  await reconcile('deliveries')
  t.match(await pullRow(closed), { state: 'open' }, 'no delivery reports it')
  const before = world.github.requests.length
  await reconcile('pull_requests')
  t.match(await pullRow(closed), { state: 'closed' })
  t.match(await pullRow(pushed), { state: 'open', head_sha: head })
  t.match(await pullRow(reopened), { state: 'open' })
  const read = world.github.requests.slice(before).map(({ path }) => path)
  t.notOk(
    read.some((path) => path.endsWith(`/pulls/${same.number}`)),
    'an equal one is not asked for',
  )
})

t.test('a repository that fails does not stop the others', async (t) => {
  const pull = await openPull(world, {})
  await world.settled()
  await query(
    world,
    `insert into repositories (id, installation_id, owner, name, default_branch)
     select 1, installation_id, 'acme', 'gone', 'main' from repositories limit 1`,
  )
  await query(
    world,
    `insert into pull_requests (installation_id, repo_id, number, state, head_sha, base_ref, base_sha, author, read_at)
     select installation_id, 1, 1, 'open', 'a', 'main', 'b', 'ada', now() from repositories where id = 1`,
  )
  const vanish = world.github.faults.add({ kind: 'webhook', event: 'pull_request', effect: 'vanish' })
  await pull.close()
  await world.settled()
  vanish.remove()
  await reconcile('pull_requests')
  t.match(await pullRow(pull), { state: 'closed' })
  const [job] = await query(
    world,
    `select state, last_error from jobs where kind = 'reconcile' order by id desc limit 1`,
  )
  t.match(job, { state: 'done', last_error: null })
})

t.test('thousands of stacks are left unknown a portion at a time', async (t) => {
  const pull = await openPull(world, {})
  const { run, id } = await planned(
    pull,
    Array.from({ length: 2 * portionRows + 1 }, (_, index) => `many/${index}`),
  )
  run.complete('cancelled')
  // the code host is shown each of them afterwards, which takes a minute
  await until(
    async () => (await query(world, `select from runs where id = '${id}' and status = 'failed'`)).length === 1,
  )
  const written = `select status, count(*)::int from run_stacks where run_id = '${id}' group by xmin, status order by count desc`
  t.same(await query(world, written), [
    { status: 'unknown', count: portionRows },
    { status: 'unknown', count: portionRows },
    { status: 'unknown', count: 1 },
  ])
  t.match(await query(world, `select status from runs where id = '${id}'`), [{ status: 'failed' }])
  const shown = await shownStacks(world.pool, id)
  const inOrder = await query(world, `select key from run_stacks where run_id = '${id}' order by wave, key`)
  t.same(
    shown.map(({ key }) => key),
    inOrder.map(({ key }) => key),
    'and all of them are shown',
  )
})
