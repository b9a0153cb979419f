import t from 'tap'
import { applying, lose, report } from '#test/scenes/applying.ts'
import { addKey, dependsOn, query, send } from '#test/scenes/scene.ts'
import type { Json } from '#test/scenes/served.ts'
import { ask, post, twoOrganisations } from '#test/scenes/two-organisations.ts'

const { world, grace, rita, eve } = await twoOrganisations(t)
const key = await addKey(world)
const held = await applying(world, [['network', 'data'], ['app']], [dependsOn('app', 'data')])
await world.settled()
await report(world, held.applyId, 'network')
await lose(world, held.applyId, 'data')
await world.settled()

const path = `/v1/runs/${held.applyId}/timeline`
const get = async (query = ''): Promise<{ status: number; body: Json }> => send(world, key, `${path}${query}`)
const all = async (): Promise<Json[]> => (await get('?limit=500')).body.items

const eventsOf = (items: Json[], kind: string, stack?: string): string[] =>
  items.filter((one) => one.kind === kind && one.key === stack).map((one) => one.event.type)

t.test('the run, its stacks, its dispatch and its locks tell what happened in one list, in its order', async (t) => {
  const items = await all()
  t.same(eventsOf(items, 'stack', 'network'), ['created', 'stack.started', 'result.reported'])
  t.same(eventsOf(items, 'stack', 'data'), ['created', 'stack.started', 'runner.lost'])
  t.same(eventsOf(items, 'stack', 'app').at(-1), 'stack.blocked')
  t.same(eventsOf(items, 'lock', 'network'), ['lock.requested', 'stack.changed'])
  t.same(eventsOf(items, 'run').slice(0, 2), ['created', 'apply.requested'])
  t.same(eventsOf(items, 'dispatch').slice(0, 1), ['created'])
  const lost = items.findIndex((one) => one.event.type === 'runner.lost')
  t.match(items[lost], { kind: 'stack', key: 'data', from: 'applying', to: 'unknown', actor: 'system', seq: 2 })
  const told = items.findIndex((one) => one.kind === 'run' && one.to === 'failed')
  t.ok(lost < told, 'the stack is before the run that heard of it')
  t.notOk(
    items.some((one) => 'digest' in one.event),
    'digests of results are shown nowhere',
  )
})

t.test('what came of one thing has one cause', async (t) => {
  const [one] = await query(world, `select id from stacks where key = 'data'`)
  const answer = await post(grace, '/v1/unlock', { repo: 'acme/infra', stack_key: 'data', reason: 'its runner died' })
  t.equal(answer.status, 200)
  const released = (await all()).at(-1)
  t.match(released, { kind: 'lock', id: one?.id, key: 'data', event: { type: 'release.requested', actor: 'grace' } })
  t.match(released, { to: 'free', actor: 'grace', cause: answer.headers.get('x-request-id') })
})

t.test('a lock that goes on to another run is in the timeline of each while it held it', async (t) => {
  const before = await all()
  const later = await applying(world, [['data']])
  t.same(await all(), before, 'the later run is none of the earlier one')
  const { body } = await send(world, key, `/v1/runs/${later.applyId}/timeline`)
  t.same(eventsOf(body.items, 'lock', 'data'), ['lock.requested'])
})

t.test('pages go on where the last one ended', async (t) => {
  const whole = await all()
  const paged: Json[] = []
  let after: string | undefined
  do {
    const { body } = await get(`?limit=7${after ? `&after=${after}` : ''}`)
    t.ok(body.items.length <= 7)
    paged.push(...body.items)
    after = body.next_cursor
  } while (after)
  t.same(paged, whole)
})

t.test('who polls goes on behind what cannot change any more, and sees the last seconds again', async (t) => {
  const whole = await all()
  const setAt = async (at: string, behind = 0): Promise<void> => {
    for (const table of ['journal', 'lock_journal'])
      await query(
        world,
        `update ${table} set at = ${at} where run_id = '${held.applyId}' and entry > ${behind} returning 1`,
      )
  }
  await setAt('now()')
  const first = (await get('?limit=500')).body
  t.notOk('next_cursor' in first)
  t.notOk('after' in first, 'all of it is younger than five seconds')
  await setAt("at - interval '1 minute'")
  const { after } = (await get('?limit=500')).body
  t.match(await get(`?after=${after}`), { status: 200, body: { items: [], after } }, 'nothing new')
  const [third] = await query(
    world,
    `select entry from (select run_id, entry from journal union all select run_id, entry from lock_journal) j
     where run_id = '${held.applyId}' order by entry desc offset 2 limit 1`,
  )
  await setAt('now()', third?.entry)
  const settled = (await get('?limit=500')).body.after
  t.not(settled, after)
  t.same(
    (await get(`?after=${settled}`)).body.items.map((one: Json) => one.seq),
    whole.slice(-2).map((one) => one.seq),
  )
})

t.test('it is for who sees the repository, and its places are of one run alone', async (t) => {
  t.equal((await ask(rita, path)).status, 200)
  t.match(await ask(eve, path), { status: 404, json: { code: 'not_found' } })
  const { next_cursor } = (await get('?limit=1')).body
  const other = `/v1/runs/${held.id}/timeline`
  for (const wrong of ['x', next_cursor]) {
    t.match(await send(world, key, `${other}?after=${wrong}`), {
      status: 400,
      body: { code: 'invalid', details: { field: 'after' } },
    })
  }
})
