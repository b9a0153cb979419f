import t from 'tap'
import { applying, report } from '#test/scenes/applying.ts'
import { addKey, planning, query, send } from '#test/scenes/scene.ts'
import type { Json } from '#test/scenes/served.ts'
import { twoOrganisations } from '#test/scenes/two-organisations.ts'

const { world } = await twoOrganisations(t)
const key = await addKey(world)
const get = async (id: string, asked = ''): Promise<{ status: number; body: Json }> =>
  send(world, key, `/v1/runs/${id}${asked}`)
const keysOf = ({ stacks }: Json): string[] => stacks.map((one: Json) => one.key)

const { id, job } = await planning(world, ['app', 'cache', 'network'])

t.test('without texts a row has neither its plan nor its error, and everything else', async (t) => {
  await job.report(id, 'app', { status: 'failure', exit_code: 1, plan_text: 'half a plan', error_text: 'Error: no' })
  const whole = (await get(id)).body
  const [app] = whole.stacks
  t.match(app, { plan_text: 'half a plan', error_text: 'Error: no', plan_bytes: 11 })
  const { plan_text: _, error_text: __, ...rest } = app
  const bare = (await get(id, '?text=none')).body
  t.same(bare, { ...whole, stacks: [rest, ...whole.stacks.slice(1)] })
})

t.test('since a rev only the rows that changed after it are answered, and the run always', async (t) => {
  const before = (await get(id, '?text=none')).body
  t.notOk('since' in before)
  await job.report(id, 'cache')
  const after = (await get(id, `?text=none&since=${before.rev}`)).body
  t.ok(after.rev > before.rev)
  t.same(keysOf(after), ['cache'])
  t.match(after, { id, status: 'planning', since: before.rev, counts: { planned: 1, failed: 1, planning: 1 } })
  await job.post(`/v1/runs/${id}/stacks/network/checks/policy`, { status: 'pass' })
  const checked = (await get(id, `?since=${after.rev}`)).body
  t.same(keysOf(checked), ['network'], 'a verdict is a change of its row')
})

t.test('since the rev of now the run says only that nothing has changed', async (t) => {
  const { rev, status } = (await get(id)).body
  const { body } = await get(id, `?since=${rev}`)
  t.match(body, { id, rev, since: rev, status })
  for (const field of ['stacks', 'counts', 'by_wave', 'totals', 'next', 'attention']) t.notOk(field in body, field)
})

t.test('a rev that the run never had is answered with all rows', async (t) => {
  for (const since of [0, 999_999_999]) {
    const { body } = await get(id, `?since=${since}`)
    t.equal(body.stacks.length, 3)
    t.notOk('since' in body)
  }
  for (const wrong of ['x', '-1', '1.5']) {
    t.match(await get(id, `?since=${wrong}`), { status: 400, body: { details: { field: 'since' } } })
  }
  t.match(await get(id, '?text=some'), { status: 400, body: { details: { field: 'text' } } })
})

t.test('rows that another graph replaced are all answered, as all that there are', async (t) => {
  const again = await planning(world, ['app', 'network'])
  const { rev } = (await get(again.id)).body
  const graph = { stacks: [{ key: 'app', path: 'app' }], edges: [], tree_hash: 'another' }
  t.equal((await again.job.upload(again.id, { graph, stacks: ['app'] })).status, 200)
  const { body } = await get(again.id, `?since=${rev}`)
  t.same(keysOf(body), ['app'])
  t.notOk('since' in body, 'network must go')
})

t.test('polling shows every change once, whatever changes between the questions', async (t) => {
  const { applyId } = await applying(world, [['a', 'b'], ['c']])
  const seen = new Map<string, string>()
  let { rev, stacks }: Json = (await get(applyId, '?text=none')).body
  for (const row of stacks) seen.set(row.key, row.status)
  for (const change of ['a', 'b', 'c', undefined]) {
    const { body } = await get(applyId, `?text=none&since=${rev}`)
    for (const row of body.stacks ?? []) seen.set(row.key, row.status)
    rev = body.rev
    if (change) await report(world, applyId, change)
  }
  const rows = await query(world, `select key, status from run_stacks where run_id = '${applyId}' order by key`)
  t.same(
    [...seen].sort(),
    rows.map((row) => [row.key, row.status]),
  )
  t.equal(seen.get('c'), 'applied')
})
