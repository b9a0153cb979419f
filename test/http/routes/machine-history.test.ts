import t from 'tap'
import { limits } from '#domain/limits.ts'
import { applying, report } from '#test/scenes/applying.ts'
import { addKey, query, send } from '#test/scenes/scene.ts'
import type { Json } from '#test/scenes/served.ts'
import { ask, twoOrganisations } from '#test/scenes/two-organisations.ts'

const { world, eve } = await twoOrganisations(t)
const key = await addKey(world)
const { id: planId, applyId } = await applying(world, [['network'], ['app']])
// its dispatch is there before its result
await world.settled()
await report(world, applyId, 'network')
await world.settled()
const stackId: string = (await query(world, `select id from stacks where key = 'network'`))[0]?.id
const dispatchId: string = (await query(world, `select id from dispatches where run_id = '${applyId}' and wave = 0`))[0]
  ?.id

const get = (path: string) => send(world, key, `/v1/machines/${path}`)
const machines = [`run/${applyId}`, `stack/${applyId}:${stackId}`, `lock/${stackId}`, `dispatch/${dispatchId}`]

const journalOf = async (machine: string): Promise<Json[]> => (await get(`${machine}/journal?order=asc`)).body.items

/** Where the rows of a machine's journal are. */
const placeOf = ({ kind, id }: Json): { journal: string; name: string; rowsOf: string } => {
  if (kind === 'lock')
    return { journal: 'lock_journal', name: 'installation_id, stack_id', rowsOf: `stack_id = '${id}'` }
  const [run, subject = run] = kind === 'dispatch' ? [applyId, id] : id.split(':')
  return {
    journal: 'journal',
    name: 'installation_id, kind, subject_id',
    rowsOf: `run_id = '${run}' and subject_id = '${subject}'`,
  }
}

const dotted = (value: Json): string =>
  typeof value === 'string' ? value : (Object.entries(value).map(([outer, inner]) => `${outer}.${inner}`)[0] ?? '')

t.test('a machine as it stood after each of its transitions', async (t) => {
  for (const machine of machines) {
    const journal = await journalOf(machine)
    t.ok(journal.length > 1, machine)
    for (const { seq, at, to } of journal) {
      const { status, body } = await get(`${machine}?seq=${seq}`)
      t.equal(status, 200)
      t.same({ seq: body.seq, at: body.updated_at, to: dotted(body.value) }, { seq, at, to }, `${machine} at ${seq}`)
    }
  }
})

t.test('replayed to its last transition, it is what is stored, but for the clock of its timers', async (t) => {
  for (const machine of machines) {
    const present = (await get(machine)).body
    const { journal, name, rowsOf } = placeOf(present)
    await query(
      world,
      `insert into ${journal} (${name}, run_id, seq, event, actor, state_from, state_to, actions, at)
       select ${name}, run_id, seq + 1, event, actor, state_from, state_to, actions, at from ${journal}
       where ${rowsOf} and seq = ${present.seq} returning seq`,
    )
    const table = { run: 'runs', stack: 'run_stacks', lock: 'locks', dispatch: 'dispatches' }[String(present.kind)]
    const of =
      present.kind === 'stack' ? `run_id || ':' || stack_id` : present.kind === 'lock' ? 'stack_id::text' : 'id::text'
    const moved = await query(world, `update ${table} set seq = seq + 1 where ${of} = '${present.id}' returning seq`)
    t.equal(moved.length, 1)
    t.same((await get(`${machine}?seq=${present.seq}`)).body, present, machine)
    await query(world, `update ${table} set seq = seq - 1 where ${of} = '${present.id}' returning seq`)
    await query(world, `delete from ${journal} where ${rowsOf} and seq = ${present.seq + 1} returning seq`)
  }
})

t.test('what it would accept then, and what it waited for', async (t) => {
  const lock = await get(`lock/${stackId}?seq=0`)
  t.match(lock.body, { seq: 0, value: 'free', events: ['lock.requested'], timers: [] })
  const claimed = (await get(`lock/${stackId}?seq=1`)).body
  t.match(claimed, { value: { held: 'claimed' }, timers: [{ name: 'reminder', event: 'reminder.due', due_at: /Z$/ }] })
  t.ok(
    claimed.events.includes('release.requested') &&
      Date.parse(claimed.timers[0].due_at) > Date.parse(claimed.updated_at),
  )
  t.match((await get(`run/${applyId}?seq=0`)).body, { value: 'pending', context: { mode: 'apply' } })
})

t.test('the journal comes oldest first where that is asked for, a page at a time', async (t) => {
  const newest = (await get(`run/${applyId}/journal`)).body.items
  const oldest = await journalOf(`run/${applyId}`)
  t.same(oldest, newest.toReversed())
  const paged: Json[] = []
  for (let cursor = ''; ; ) {
    const { items, next_cursor } = (await get(`run/${applyId}/journal?order=asc&limit=1${cursor}`)).body
    paged.push(...items)
    if (next_cursor === undefined) break
    cursor = `&cursor=${next_cursor}`
    t.match(await get(`run/${applyId}/journal?limit=1${cursor}`), {
      status: 400,
      body: { details: { field: 'cursor' } },
    })
  }
  t.same(paged, oldest)
})

t.test('what came of one request has its cause', async (t) => {
  const [run, stack] = [await journalOf(`run/${planId}`), await journalOf(`stack/${planId}:${stackId}`)]
  const reported = stack.find(({ event }) => event.type === 'result.reported')
  t.match(reported?.cause, /^[0-9a-f-]{36}$/)
  t.ok(
    run.some(({ event, cause }) => event.type === 'stack.settled' && cause === reported?.cause),
    'the run was told of the stack by the request that reported it',
  )
})

t.test('numbers that are none, or not yet', async (t) => {
  const { body } = await get(`run/${applyId}`)
  const cases: [query: string, status: number][] = [
    ['seq=x', 400],
    ['seq=-1', 400],
    ['seq=9999999999', 400],
    [`seq=${limits.replayedTransitions + 1}`, 400],
    [`seq=${body.seq + 1}`, 404],
    ['seq=', 200],
  ]
  for (const [asked, status] of cases) {
    const answer = await get(`run/${applyId}?${asked}`)
    t.equal(answer.status, status, asked)
    if (status === 400) t.match(answer.body, { code: 'invalid', details: { field: 'seq' } })
  }
  t.match((await get(`run/${applyId}/journal?order=up`)).body, { code: 'invalid', details: { field: 'order' } })
})

t.test('a journal that this version does not lead through is a conflict', async (t) => {
  const change = (event: string) =>
    query(
      world,
      `update lock_journal set event = jsonb_set(event::jsonb, '{type}', '"${event}"')
       where stack_id = '${stackId}' and seq = 1 returning seq`,
    )
  await change('lock.wanted')
  const answer = await get(`lock/${stackId}?seq=1`)
  t.match(answer, { status: 409, body: { code: 'conflict', message: /cannot be replayed at 1/ } })
  await change('lock.requested')
  t.equal((await get(`lock/${stackId}?seq=1`)).status, 200)
})

t.test('the past is hidden from whom the present is hidden from', async (t) => {
  for (const machine of machines) {
    t.match(await ask(eve, `/v1/machines/${machine}?seq=0`), { status: 404, json: { code: 'not_found' } }, machine)
  }
})
