import { randomUUID } from 'node:crypto'
import t from 'tap'
import { applying } from '#test/scenes/applying.ts'
import { addKey, query, send } from '#test/scenes/scene.ts'
import { ask, post, twoOrganisations } from '#test/scenes/two-organisations.ts'

const { world, service, rita, eve } = await twoOrganisations(t)
const key = await addKey(world)
const { pull, id: planId, applyId } = await applying(world, [['network'], ['app']])
await world.settled()
const stackId: string = (await query(world, `select id from stacks where key = 'network'`))[0]?.id
const dispatchId: string = (await query(world, `select id from dispatches where run_id = '${applyId}'`))[0]?.id

const get = (path: string) => send(world, key, `/v1/machines/${path}`)
const machines: [kind: string, id: string][] = [
  ['run', applyId],
  ['stack', `${applyId}:${stackId}`],
  ['lock', stackId],
  ['dispatch', dispatchId],
]

t.test('a kind of machine is data, made from the machine itself', async (t) => {
  for (const [kind] of machines) {
    const { status, body } = await get(kind)
    t.equal(status, 200)
    t.match(body, { kind, version: Number, initial: String })
    t.ok(body.states.length > 2 && body.states.every(({ on }: { on: unknown }) => Array.isArray(on)))
  }
  t.match((await get('job')).body, { code: 'invalid', details: { field: 'kind' } })
})

t.test('a machine is shown with its state, and what it accepts and waits for', async (t) => {
  const run = (await get(`run/${applyId}`)).body
  t.match(run, {
    kind: 'run',
    id: applyId,
    version: 2,
    value: { applying: 'running' },
    context: { mode: 'apply', trigger: 'comment', wave: 0 },
    timers: [],
    updated_at: /^\d{4}-.*Z$/,
  })
  t.ok(run.events.includes('stack.settled') && !run.events.includes('graph.resolved'), run.events.join(' '))

  const lock = (await get(`lock/${stackId}`)).body
  t.match(lock, { value: { held: 'claimed' }, context: { run_id: applyId, pr_number: pull.number } })
  t.match(lock.timers, [{ name: /./, event: 'reminder.due', due_at: /Z$/ }])
  t.ok(Date.parse(lock.timers[0].due_at) > Date.parse(lock.updated_at))
})

t.test('fields from which a plan could be guessed are left out', async (t) => {
  const [, planned] = [await get(`stack/${applyId}:${stackId}`), await get(`stack/${planId}:${stackId}`)]
  t.match(planned.body, { value: 'planned', context: { mode: 'plan' } })
  const journal = (await get(`stack/${planId}:${stackId}/journal`)).body
  t.ok(journal.items.some((item: { event: { type: string } }) => item.event.type === 'result.reported'))
  t.notMatch(JSON.stringify([planned.body, journal]), /digest/)
  const [last, first] = [journal.items[0], journal.items.at(-1)]
  t.match(first, { seq: 0, event: { type: 'created', took: { type: 'stack.started' } }, to: 'planning' })
  t.same(last.actions, [{ type: 'tellRun' }, { type: 'publishStack' }], 'what the run heard is in its own journal')
})

t.test('the journal comes newest first, a page at a time', async (t) => {
  const all = (await get(`run/${planId}/journal`)).body
  t.notOk('next_cursor' in all)
  const seqs = all.items.map(({ seq }: { seq: number }) => seq)
  t.same(seqs, [...seqs.keys()].reverse())
  t.match(all.items.at(-1), { seq: 0, event: { type: 'created', input: { mode: 'plan' } }, to: 'pending', actions: [] })
  t.notOk('from' in all.items.at(-1))
  t.match(all.items[0], { to: 'planned', from: 'planning', at: /Z$/, actor: /runner:acme\/infra/ })
  const paged = []
  for (let cursor = ''; ; ) {
    const { items, next_cursor } = (await get(`run/${planId}/journal?limit=1${cursor}`)).body
    paged.push(...items)
    if (next_cursor === undefined) break
    cursor = `&cursor=${next_cursor}`
  }
  t.same(paged, all.items)
})

t.test('invalid ids, pages and cursors are refused', async (t) => {
  const cases: [path: string, status: number, field?: string][] = [
    ['run/7', 400, 'id'],
    [`run/${applyId}:${stackId}`, 400, 'id'],
    [`stack/${applyId}`, 400, 'id'],
    [`stack/${applyId}:${stackId}:`, 400, 'id'],
    [`lock/${randomUUID()}`, 404],
    [`run/${stackId}`, 404],
    [`stack/${stackId}:${applyId}`, 404],
    [`dispatch/${applyId}`, 404],
    [`run/${randomUUID()}/journal`, 404],
    [`run/${applyId}/journal?limit=0`, 400, 'limit'],
    [`run/${applyId}/journal?cursor=x`, 400, 'cursor'],
    [
      `run/${applyId}/journal?cursor=${Buffer.from(`["journal of run ${applyId}",99999999999]`).toString('base64url')}`,
      400,
      'cursor',
    ],
    [`run/${applyId.toUpperCase()}`, 200],
  ]
  for (const [path, status, field] of cases) {
    const answer = await get(path)
    t.equal(answer.status, status, path)
    if (field) t.match(answer.body, { code: 'invalid', details: { field } }, path)
  }
})

t.test('people who see a repository see its machines, and for others they do not exist', async (t) => {
  for (const [kind, id] of machines) {
    for (const path of [`/v1/machines/${kind}/${id}`, `/v1/machines/${kind}/${id}/journal`]) {
      t.equal((await ask(rita, path)).status, 200, path)
      t.match(await ask(eve, path), { status: 404, json: { code: 'not_found' } }, path)
      t.equal((await fetch(`${service.url}${path}`)).status, 401, 'nobody')
    }
    t.equal((await ask(eve, `/v1/machines/${kind}`)).status, 200, 'a statechart is no secret')
  }
})

const bury = async (kind: string, more: { payload?: object; key?: string } = {}): Promise<number> => {
  const { payload = { repo_id: world.repository.id }, key = null } = more
  const [row] = await query(
    world,
    `insert into jobs (queue, kind, key, payload, state, attempt, last_error, finished_at)
     values ('jobs', '${kind}', ${key === null ? 'null' : `'${key}'`}, '${JSON.stringify(payload)}', 'dead', 5, 'it broke', now())
     returning id`,
  )
  return row?.id
}

t.test('jobs that were given up are listed, newest first, without their payload', async (t) => {
  const [older, newer] = [await bury('nothing_knows', { payload: { secret: 'hush' } }), await bury('nothing_knows')]
  const { status, body } = await send(world, key, '/v1/queue?state=dead')
  t.equal(status, 200)
  t.same(
    body.items.map(({ id }: { id: number }) => id),
    [newer, older],
  )
  const { created_at, finished_at, ...item } = body.items[1]
  t.match([created_at, finished_at], [/Z$/, /Z$/])
  t.same(item, { id: older, queue: 'jobs', kind: 'nothing_knows', state: 'dead', attempt: 5, last_error: 'it broke' })
  t.same((await send(world, key, '/v1/queue')).body, body, 'dead unless another state is asked for')
  t.same((await send(world, key, '/v1/queue?state=running')).body, { items: [], filters: { state: 'running' } })
  const first = (await send(world, key, '/v1/queue?limit=1')).body
  t.same(first.items, body.items.slice(0, 1))
  const next = (await send(world, key, `/v1/queue?limit=1&cursor=${first.next_cursor}`)).body
  t.same(next, { items: body.items.slice(1), filters: { state: 'dead' } })
  t.match((await send(world, key, '/v1/queue?state=done')).body, { code: 'invalid', details: { field: 'state' } })
  t.match((await send(world, key, '/v1/queue?cursor=x')).body, { code: 'invalid', details: { field: 'cursor' } })
})

t.test('a dead job is tried again, once, and audited', async (t) => {
  const id = await bury('sync_installations', { key: 'all' })
  const { status, body } = await send(world, key, `/v1/queue/${id}/retry`, {})
  t.match({ status, body }, { status: 200, body: { id, state: 'queued', attempt: 0, next_run_at: /Z$/ } })
  await world.settled()
  t.match(await query(world, `select state from jobs where id = ${id}`), [{ state: 'done' }])
  const again = await send(world, key, `/v1/queue/${id}/retry`, {})
  t.match(again, { status: 409, body: { code: 'conflict', message: /it is done/ } })
  const audited = await query(world, `select actor, target, details from audit where action = 'queue_retry'`)
  t.same(audited, [
    {
      actor: 'apikey:ci',
      target: `queue:${id}`,
      details: { queue: 'jobs', kind: 'sync_installations', key: 'all', error: 'it broke', repo: 'acme/infra' },
    },
  ])
})

t.test('if the same job already waits, it replaces the dead one', async (t) => {
  const id = await bury('sync_installations', { key: 'later', payload: { run_id: applyId } })
  await query(
    world,
    `insert into jobs (queue, kind, key, payload, run_at)
     values ('jobs', 'sync_installations', 'later', '{}', now() + interval '1 hour') returning id`,
  )
  t.match(await send(world, key, `/v1/queue/${id}/retry`, {}), { status: 200, body: { id, state: 'done' } })
  await query(world, `delete from jobs where key = 'later' returning id`)
  const audited = await query(world, `select details from audit where target = 'queue:${id}'`)
  t.match(audited, [{ details: { repo: 'acme/infra' } }], 'the repository of a run')
})

t.test('the queue is for administrators', async (t) => {
  const id = await bury('nothing_knows')
  for (const person of [rita, eve]) {
    t.match(await ask(person, '/v1/queue'), { status: 403, json: { code: 'forbidden', message: /administrators/ } })
    t.match(await post(person, `/v1/queue/${id}/retry`), { status: 403, json: { code: 'forbidden' } })
  }
  t.equal((await fetch(`${service.url}/v1/queue`)).status, 401)
  t.equal((await send(world, key, '/v1/queue/99999999/retry', {})).status, 404)
  t.match((await send(world, key, '/v1/queue/x/retry', {})).body, { code: 'invalid', details: { field: 'id' } })
})
