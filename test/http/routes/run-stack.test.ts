import { createHash } from 'node:crypto'
import t from 'tap'
import { prunePlanTexts } from '#db/expired-rows.ts'
import { applying, lose } from '#test/scenes/applying.ts'
import { addKey, dependsOn, planning, query, send } from '#test/scenes/scene.ts'
import type { Json } from '#test/scenes/served.ts'
import { ask, twoOrganisations } from '#test/scenes/two-organisations.ts'

const { world, rita, eve } = await twoOrganisations(t)
const key = await addKey(world)
const get = async (path: string): Promise<{ status: number; body: Json }> => send(world, key, path)
const text = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${world.service.url}${path}`, { headers: { authorization: `Bearer ${key}`, ...headers } })

const held = await applying(world, [['network', 'data'], ['app']], [dependsOn('app', 'data')])
await world.settled()
const rowPath = (id: string, name: string) => `/v1/runs/${id}/stacks/${name}`

t.test('a row alone is the row of the run, and says who waits for its lock', async (t) => {
  const waiting = await planning(world, ['network'])
  await waiting.job.report(waiting.id, 'network')
  const { body: run } = await get(`/v1/runs/${held.applyId}`)
  const { body: row } = await get(rowPath(held.applyId, 'network'))
  const ofRun = run.stacks.find((one: Json) => one.key === 'network')
  t.same(row, {
    ...ofRun,
    lock: { ...ofRun.lock, waiting: [{ pr_number: waiting.pull.number, run_id: waiting.id }] },
  })
  t.match(ofRun, {
    plan_run_id: held.id,
    dispatch_id: /^[0-9a-f-]{36}$/,
    lock: { state: 'held.claimed', run_id: held.applyId, pr_number: held.pull.number },
  })
  const { body: other } = await get(rowPath(waiting.id, 'network'))
  t.match(other, { lock: { run_id: held.applyId, waiting: [{ pr_number: waiting.pull.number }] } }, 'whoever holds it')
})

t.test('a row says through what it is affected, how long its plan is, and why it is unknown', async (t) => {
  const { body: plan } = await get(`/v1/runs/${held.id}`)
  const app = plan.stacks.find((one: Json) => one.key === 'app')
  t.match(app, { reasons: ['requested'], plan_bytes: app.plan_text.length })
  t.notOk('unknown_reason' in app || 'dispatch_id' in app || 'plan_run_id' in app)
  await lose(world, held.applyId, 'data')
  const { body: lost } = await get(rowPath(held.applyId, 'data'))
  t.match(lost, { status: 'unknown', unknown_reason: 'workflow_finished' })
  const [changed] = await query(world, `select via from run_stacks where run_id = '${held.id}' and key = 'app'`)
  t.equal(app.via ?? null, changed?.via)
})

t.test('the text is the whole plan, and is not sent to who has it', async (t) => {
  const { id, job } = await planning(world, ['größe'])
  const plan = `größe\n${'+ line\n'.repeat(3000)}`
  await job.report(id, 'größe', { plan_text: plan, error_text: 'not shown here' })
  const path = `${rowPath(id, encodeURIComponent('größe'))}/text`
  const answer = await text(path)
  const tag = `"${createHash('sha256').update(plan).digest('hex')}"`
  t.equal(answer.status, 200)
  t.equal(await answer.text(), plan)
  t.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
  t.equal(answer.headers.get('etag'), tag)
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
    const again = await text(path, { 'if-none-match': known })
    t.equal(again.status, 304, known)
    t.equal(await again.text(), '')
  }
  t.equal((await text(path, { 'if-none-match': '"other"' })).status, 200)
  const { body: row } = await get(`${rowPath(id, encodeURIComponent('größe'))}?text=none`)
  t.notOk('plan_text' in row || 'error_text' in row)
})

t.test('where there is no text it is said why', async (t) => {
  const nodes = [
    { key: 'old', path: 'old' },
    { key: 'open', path: 'open' },
    { key: 'bare', path: 'bare' },
  ]
  const { id, job } = await planning(
    world,
    nodes.map(({ path }) => path),
  )
  await job.report(id, 'old', { plan_text: 'old' })
  await job.report(id, 'bare', { plan_text: undefined, status: 'error' })
  const messageOf = async (name: string): Promise<string> => {
    const answer = await get(`${rowPath(id, name)}/text`)
    t.match(answer, { status: 404, body: { code: 'not_found' } }, name)
    return answer.body.message
  }
  t.match(await messageOf('open'), /nothing has been reported of open yet/)
  t.match(await messageOf('bare'), /came without a plan text/)
  t.match(await messageOf('other'), /has no stack other/)
  await query(world, `update runs set status = 'failed' where id = '${id}' returning 1`)
  await query(world, `update results set reported_at = now() - interval '1 year' where run_id = '${id}' returning 1`)
  await prunePlanTexts(world.pool, new Date(Date.now() - 86_400_000), 100)
  const gone = await get(`${rowPath(id, 'old')}/text`)
  t.match(gone, {
    status: 404,
    body: { code: 'not_found', message: /was removed on \d{4}-/, details: { removed_at: /^\d{4}-.*Z$/ } },
  })
  const { body: row } = await get(rowPath(id, 'old'))
  t.match(row, { plan_bytes: 3 }, 'that there was one is still known')
})

t.test('rows and texts are for people who see the repository alone', async (t) => {
  const row = rowPath(held.id, 'app')
  for (const path of [row, `${row}/text`]) {
    t.equal((await ask(rita, path)).status, 200, path)
    t.match(await ask(eve, path), { status: 404, json: { message: `run ${path.split('/')[3]} does not exist` } }, path)
  }
})
