import { readFileSync } from 'node:fs'
import t from 'tap'
import { systemClock } from '#clock.ts'
import type { EventOf } from '#runtime/message.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { applying } from '#test/scenes/applying.ts'
import { addKey, query, send } from '#test/scenes/scene.ts'
import type { Json } from '#test/scenes/served.ts'
import { ask, twoOrganisations } from '#test/scenes/two-organisations.ts'

const workflow = readFileSync(new URL('../../../src/runner/workflows/svc-run.yml', import.meta.url), 'utf8')
const files = { 'svc.yml': 'version: 1\n', '.github/workflows/svc-run.yml': workflow }
const { world, rita, eve } = await twoOrganisations(t, { files })
const key = await addKey(world)
const get = async (path: string): Promise<{ status: number; body: Json }> => send(world, key, path)
const runtime = createRuntime({ pool: world.pool, clock: systemClock })

const held = await applying(world, [['network', 'data'], ['app']])
await world.settled()
const path = `/v1/runs/${held.applyId}/dispatches`
const time = /^\d{4}-.*Z$/

const tell = (id: string, event: EventOf<'dispatch'>) =>
  runtime.send({ to: { kind: 'dispatch', id, runId: held.applyId }, event, actor: 'test' })

t.test('a dispatch names its stacks and its workflow run, and when it was sent and picked up', async (t) => {
  const { items } = (await get(path)).body
  t.equal(items.length, 1, 'one for each wave that was sent')
  const [{ id, workflow_run }] = items
  t.match(items[0], { wave: 0, part: 1, state: 'bound', keys: ['data', 'network'], created_at: time, sent_at: time })
  t.match(items[0], { bound_at: time, workflow_run: { attempt: 1 } })
  t.match(workflow_run.url, new RegExp(`/acme/infra/actions/runs/${workflow_run.id}/attempts/1$`))
  t.notOk('timers' in items[0] || 'refusals' in items[0] || 'ended_at' in items[0])
  t.match(await get(`/v1/machines/dispatch/${id}`), { status: 200, body: { value: 'bound' } })
  t.match((await get(`/v1/runs/${held.applyId}/stacks/data`)).body, { dispatch_id: id })
})

t.test('it is picked up when the first job of the newest attempt reports', async (t) => {
  const [bound] = (await get(path)).body.items
  const { id } = bound
  const { id: runId } = bound.workflow_run
  await tell(id, { type: 'workflow.bound', workflow_run_id: runId, attempt: 1 })
  t.equal((await get(path)).body.items[0].bound_at, bound.bound_at)
  await tell(id, { type: 'workflow.bound', workflow_run_id: runId, attempt: 2 })
  await tell(id, { type: 'workflow.completed', conclusion: 'success', attempt: 2 })
  const [ended] = (await get(path)).body.items
  t.match(ended, { state: 'completed', ended_at: time, workflow_run: { attempt: 2 } })
  t.ok(ended.bound_at > bound.bound_at, 'of its newest attempt')
})

t.test('one that the code host refuses says why, and when it is sent again', async (t) => {
  const [{ id }] = (await get(path)).body.items
  await query(
    world,
    `insert into dispatches (installation_id, id, run_id, wave, part, stack_ids, state, snapshot, version, seq, created_at)
     select installation_id, gen_random_uuid(), run_id, 1, 1, stack_ids, 'refused',
       '{"value": "refused", "context": {"wave": 1, "part": 1, "refusals": 2, "message": "no such workflow"}}', 1, 0, now()
     from dispatches where id = '${id}' returning id`,
  )
  await query(
    world,
    `insert into timers (installation_id, kind, id, name, event, due_at)
     select installation_id, 'dispatch', id, 'resend', '{"type": "resend.due"}', timestamptz '2126-03-01T12:00Z'
     from dispatches where state = 'refused' returning id`,
  )
  const { items } = (await get(path)).body
  t.match(items[1], { wave: 1, state: 'refused', refusals: 2, refusal: 'no such workflow' })
  t.same(items[1].timers, [{ name: 'resend', event: 'resend.due', due_at: '2126-03-01T12:00:00.000Z' }])
  const first = (await get(`${path}?limit=1`)).body
  t.same(first.items, items.slice(0, 1))
  t.same((await get(`${path}?cursor=${first.next_cursor}`)).body, { items: items.slice(1) })
  t.same((await get(`/v1/runs/${held.id}/dispatches`)).body, { items: [] }, 'the jobs of a pull request are its own')
})

t.test('they are for people who see the repository alone', async (t) => {
  t.equal((await ask(rita, path)).status, 200)
  t.match(await ask(eve, path), { status: 404, json: { message: `run ${held.applyId} does not exist` } })
})
