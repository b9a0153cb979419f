import t from 'tap'
import { until } from '#test/helpers/until.ts'
import { applying, lose, report } from '#test/scenes/applying.ts'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { addKey, planning, query, send } from '#test/scenes/scene.ts'
import type { Json } from '#test/scenes/served.ts'
import { ask, twoOrganisations } from '#test/scenes/two-organisations.ts'

const dashboard_url = 'https://grafana.example.com/d/svc-overview?orgId=2'
const env = { SVC_DASHBOARD_URL: dashboard_url }
const { world, rita, eve } = await twoOrganisations(t, { files: withWorkflow, env })
const key = await addKey(world)
const overview = async (): Promise<Json> => (await send(world, key, '/v1/overview')).body

/** What it would say if the repository were removed. */
const overviewWithout = async (): Promise<Json> => {
  await query(world, 'update repositories set removed_at = now() returning id')
  const body = await overview()
  await query(world, 'update repositories set removed_at = null returning id')
  return body
}

const bury = (times: number) =>
  query(
    world,
    `insert into jobs (queue, kind, payload, state, attempt, last_error, finished_at)
     select 'jobs', 'nothing_knows', '{}', 'dead', 5, 'it broke', now() from generate_series(1, ${times}) returning id`,
  )

t.test('nothing needs anybody', async (t) => {
  const body = await overview()
  t.notOk('attention' in body)
  t.notOk('open_runs' in body)
})

t.test('runs that are not over are there, the newest first', async (t) => {
  const [first, second] = [await planning(world, ['a']), await planning(world, ['b'])]
  const { open_runs } = await overview()
  t.equal(open_runs.total, 2)
  t.match(open_runs.items, [
    { id: second.id, status: 'planning', repo: 'acme/infra' },
    { id: first.id, status: 'planning' },
  ])
  await first.job.report(first.id, 'a')
  await second.job.report(second.id, 'b')
  t.notOk('open_runs' in (await overview()), 'planned is over')
})

t.test('each says how far it is, by wave', async (t) => {
  const { applyId } = await applying(world, [['cache'], ['shop', 'site']])
  const stand = async (): Promise<Json> => {
    const run = (await overview()).open_runs.items.find(({ id }: Json) => id === applyId)
    return { counts: run.counts, by_wave: run.by_wave, pr_title: run.pr_title }
  }
  t.match(await stand(), {
    counts: { applying: 1, pending: 2 },
    by_wave: [
      { wave: 0, counts: { applying: 1 }, finished_at: undefined },
      { wave: 1, counts: { pending: 2 } },
    ],
    pr_title: /./,
  })
  await report(world, applyId, 'cache')
  const { counts, by_wave, pr_title } = (await send(world, key, `/v1/runs/${applyId}`)).body
  t.same(counts, { applied: 1, applying: 2 })
  t.same(await stand(), { counts, by_wave, pr_title }, 'as the run by itself says')
  for (const stack of ['shop', 'site']) await report(world, applyId, stack)
})

t.test('a stack whose end nobody saw is there while its lock is held', async (t) => {
  const { pull, applyId } = await applying(world, [['network', 'app']])
  await lose(world, applyId, 'network')
  const { attention } = await overview()
  t.same(Object.keys(attention), ['unknown_stacks'])
  t.match(attention.unknown_stacks, {
    total: 1,
    items: [
      {
        ...{ stack_key: 'network', repo: 'acme/infra', run_id: applyId, pr_number: pull.number },
        ...{ unknown_reason: 'workflow_finished', unknown_since: /Z$/ },
      },
    ],
  })
  t.match((await ask(rita, '/v1/overview')).json.attention, { unknown_stacks: { total: 1 } })
  t.notOk('attention' in (await overviewWithout()), 'not of a removed repository')
  await send(world, key, '/v1/unlock', { repo: 'acme/infra', stack_key: 'network' })
  t.notOk('attention' in (await overview()), 'somebody has looked')
})

t.test('so is one that an apply failed on, until its lock is released', async (t) => {
  const { pull, applyId } = await applying(world, [['search']])
  await report(world, applyId, 'search', 'failed')
  const { attention } = await overview()
  t.same(Object.keys(attention), ['failed_stacks'])
  const failed = { stack_key: 'search', repo: 'acme/infra', run_id: applyId, pr_number: pull.number, failed_at: /Z$/ }
  t.match(attention.failed_stacks, { total: 1, items: [failed] })
  t.match((await ask(rita, '/v1/overview')).json.attention, { failed_stacks: { total: 1 } })
  t.notOk('attention' in (await ask(eve, '/v1/overview')).json, 'not of others')
  t.notOk('attention' in (await overviewWithout()), 'not of a removed repository')
  await send(world, key, '/v1/unlock', { repo: 'acme/infra', stack_key: 'search' })
  t.notOk('attention' in (await overview()), 'somebody has looked')
})

t.test('so is a lock that no pull request will release', async (t) => {
  const { pull, applyId } = await applying(world, [['data']])
  await lose(world, applyId, 'data')
  await pull.close()
  await world.settled()
  const { attention } = await overview()
  const lock = { stack_key: 'data', state: 'held.orphaned', pr_state: 'closed', waiting_total: 0 }
  t.match(attention.orphaned_locks, { total: 1, items: [lock] })
  t.notOk('attention' in (await overviewWithout()), 'not of a removed repository')
  await send(world, key, '/v1/unlock', { repo: 'acme/infra', stack_key: 'data' })
})

t.test('so is a dispatch that the code host refuses', async (t) => {
  const refused = world.github.faults.add({
    ...{ kind: 'request', method: 'POST', path: '/repos/acme/infra/actions/workflows/svc-run.yml/dispatches' },
    effect: { status: 403, message: 'Resource not accessible by integration' },
  })
  const { pull, applyId } = await applying(world, [['dns', 'mail']])
  await until(async () => 'attention' in (await overview()))
  const { attention } = await overview()
  t.same(Object.keys(attention), ['refused_dispatches'])
  const [dispatch] = attention.refused_dispatches.items
  t.equal(attention.refused_dispatches.total, 1)
  t.match(dispatch, {
    ...{ run_id: applyId, repo: 'acme/infra', pr_number: pull.number, mode: 'apply', wave: 0, part: 1, stacks: 2 },
    ...{ refusals: 1, message: /Actions: read and write/ },
  })
  const machine = (await send(world, key, `/v1/machines/dispatch/${dispatch.id}`)).body
  t.equal(dispatch.gives_up_at, machine.timers.find(({ name }: Json) => name === 'deadline').due_at)
  t.notOk('attention' in (await overviewWithout()), 'not of a removed repository')
  refused.remove()
})

t.test('what the queue gave up is there for administrators, the newest ten and how many there are', async (t) => {
  const ids = (await bury(12)).map(({ id }) => Number(id))
  const { dead_items } = (await overview()).attention
  t.equal(dead_items.total, 12)
  t.same(
    dead_items.items.map(({ id }: Json) => id),
    ids.toSorted((a, b) => b - a).slice(0, 10),
  )
  t.match(dead_items.items[0], { kind: 'nothing_knows', state: 'dead', last_error: 'it broke' })
  t.notOk('dead_items' in (await ask(rita, '/v1/overview')).json.attention)
})

t.test('nobody sees what needs somebody elsewhere', async (t) => {
  t.ok('refused_dispatches' in (await ask(rita, '/v1/overview')).json.attention)
  const body = (await ask(eve, '/v1/overview')).json
  t.notOk('attention' in body)
  t.notOk('open_runs' in body)
})

t.test('who the caller is comes with what differs between installations', async (t) => {
  const installed = {
    codehost_url: world.env.CODEHOST_WEB_URL,
    dashboard_url,
    version: /^\d+\.\d+\.\d+/,
    command: 'svc',
  }
  t.match((await ask(rita, '/v1/me')).json, { login: 'rita', admin: false, ...installed })
  t.match((await send(world, key, '/v1/me')).body, { login: 'apikey:ci', admin: true, ...installed })
})
