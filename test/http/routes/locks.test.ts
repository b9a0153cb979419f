import { randomUUID } from 'node:crypto'
import t from 'tap'
import { applying, lose } from '#test/scenes/applying.ts'
import { addKey, planning, query, send } from '#test/scenes/scene.ts'
import type { Json } from '#test/scenes/served.ts'
import { ask, twoOrganisations } from '#test/scenes/two-organisations.ts'

const { world, rita, eve } = await twoOrganisations(t)
const key = await addKey(world)
const first = await applying(world, [['network'], ['app']])
const second = await applying(world, [['data']])
const waiting = await planning(world, ['app', 'data', 'dns'])
await lose(world, second.applyId, 'data')
await world.settled()

const stackId = async (of: string): Promise<string> =>
  (await query(world, `select id from stacks where key = '${of}'`))[0]?.id

const list = async (filter: string): Promise<Json> => (await send(world, key, `/v1/locks?${filter}`)).body
const keysOf = async (filter: string): Promise<string[]> => (await list(filter)).items.map((one: Json) => one.stack_key)

t.test(
  'locks are found by their stack or part of its key, by a run that has the stack, by a pull request, and by their state',
  async (t) => {
    const ofPull = (pull: { number: number }) => `repo=acme/infra&pr=${pull.number}`
    const cases: [filter: string, keys: string[]][] = [
      [`stack=${await stackId('app')}`, ['app']],
      [`stack=${await stackId('dns')}`, []],
      [`stack=${randomUUID()}`, []],
      ['q=A', ['app', 'data']],
      ['q=NETw', ['network']],
      ['q=%25', []],
      ['q=dns', []],
      [`q=a&run=${first.id}`, ['app']],
      ['q=a&state=held.changed&repo=acme/infra', ['data']],
      [`q=net&${ofPull(first.pull)}`, ['network']],
      [`run=${first.applyId}`, ['app', 'network']],
      [`run=${first.id}`, ['app', 'network']],
      [`run=${waiting.id}`, ['app', 'data']],
      [`run=${randomUUID()}`, []],
      [ofPull(first.pull), ['app', 'network']],
      [ofPull(second.pull), ['data']],
      [ofPull(waiting.pull), ['app', 'data']],
      ['repo=acme/infra&pr=4711', []],
      ['state=held.claimed', ['app', 'network']],
      ['state=held.orphaned', []],
      [`run=${waiting.id}&state=held.changed`, ['data']],
      [`${ofPull(waiting.pull)}&stack=${await stackId('data')}`, ['data']],
      ['stack=&q=&run=&pr=&state=', ['app', 'data', 'network']],
    ]
    for (const [filter, keys] of cases) t.same((await keysOf(filter)).sort(), keys, filter)
  },
)

t.test('a filter is kept from page to page', async (t) => {
  const paged: string[] = []
  for (let cursor = ''; ; ) {
    const { items, next_cursor } = await list(`run=${waiting.id}&limit=1${cursor}`)
    paged.push(...items.map((one: Json) => one.stack_key))
    if (next_cursor === undefined) break
    cursor = `&cursor=${next_cursor}`
  }
  t.same(paged, await keysOf(`run=${waiting.id}`))
  const { items, next_cursor } = await list('q=a&limit=1')
  t.same(
    [...items.map((one: Json) => one.stack_key), ...(await keysOf(`q=a&cursor=${next_cursor}`))],
    await keysOf('q=a'),
  )
})

/** As many more pull requests with the same plan: playing each takes a second. */
const copyPull = (number: number, times: number) =>
  query(
    world,
    `with copies as (select 1000 + n as number, gen_random_uuid() as run_id from generate_series(1, ${times}) n),
      pulls as (
        insert into pull_requests
        select (jsonb_populate_record(p, jsonb_build_object('number', c.number))).*
        from pull_requests p cross join copies c where p.number = ${number}),
      plans as (
        insert into runs
        select (jsonb_populate_record(r, jsonb_build_object('id', c.run_id, 'pr_number', c.number))).*
        from runs r cross join copies c where r.id = '${waiting.id}' returning id)
     insert into run_stacks
     select (jsonb_populate_record(x, jsonb_build_object('run_id', p.id))).*
     from run_stacks x cross join plans p where x.run_id = '${waiting.id}' returning run_id`,
  )

t.test('a lock says what its pull request is, and how many wait', async (t) => {
  const [lock] = (await list(`stack=${await stackId('network')}`)).items
  t.match(lock, { pr_number: first.pull.number, pr_state: 'open', pr_title: String, waiting_total: 0 })
  t.notOk('waiting' in lock)
  await copyPull(waiting.pull.number, 10)
  const [data] = (await list(`stack=${await stackId('data')}`)).items
  t.equal(data.waiting.length, 10)
  t.equal(data.waiting_total, 11, 'more than are shown')
  await second.pull.close()
  await world.settled()
  const [orphaned] = (await list('state=held.orphaned')).items
  t.match(orphaned, { stack_key: 'data', pr_state: 'closed' })
})

t.test('a filter that is none is told by its parameter', async (t) => {
  const cases: [filter: string, field: string][] = [
    ['stack=app', 'stack'],
    ['run=7', 'run'],
    ['pr=0&repo=acme/infra', 'pr'],
    [`pr=${first.pull.number}`, 'pr'],
    ['state=free', 'state'],
  ]
  for (const [filter, field] of cases) {
    const { status, body } = await send(world, key, `/v1/locks?${filter}`)
    t.match({ status, body }, { status: 400, body: { code: 'invalid', details: { field } } }, filter)
  }
})

t.test('a filter shows nobody what they do not see', async (t) => {
  for (const filter of ['q=app', `stack=${await stackId('app')}`, `run=${first.applyId}`, 'state=held.claimed']) {
    t.ok((await ask(rita, `/v1/locks?${filter}`)).json.items.length > 0, filter)
    t.same((await ask(eve, `/v1/locks?${filter}`)).json.items, [], filter)
  }
  t.equal((await ask(eve, `/v1/locks?repo=acme/infra&pr=${first.pull.number}`)).status, 404)
})
