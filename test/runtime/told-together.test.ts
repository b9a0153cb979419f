import t from 'tap'
import { systemClock } from '#clock.ts'
import { planStacks } from '#commands/runs/place-stacks.ts'
import { lockRuns } from '#db/machines/runs.ts'
import { transact } from '#db/transact.ts'
import { stackRowId } from '#runtime/address.ts'
import type { Message } from '#runtime/message.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { readJournal, replay } from '#test/helpers/journal.ts'
import { openDatabase } from '#test/helpers/open-database.ts'
import { dependsOn, seedRepository, seedRun } from '#test/helpers/seed.ts'

/* What many machines are told at once. */

const { pool, client } = await openDatabase(t)
await seedRepository(pool)
const runtime = createRuntime({ pool, clock: systemClock })

const failure = (runId: string, key: string): Message => ({
  to: { kind: 'stack', runId, key },
  event: { type: 'result.reported', outcome: 'failed', digest: key },
  actor: 'test',
})

const locks = async () =>
  (await client.query('select s.key, l.state from locks l join stacks s on s.id = l.stack_id order by s.key')).rows.map(
    ({ key, state }) => `${key} ${state}`,
  )

t.test('rows that a failure blocks have a journal each, and their run hears once of those of a wave', async (t) => {
  const waves = [['root', 'z'], ['a', 'b', 'c'], ['d', 'e'], ['other']]
  const edges = ['a', 'b', 'c', 'd', 'e'].map((key) => dependsOn(key, 'root'))
  const { runId } = await seedRun(pool, runtime, { mode: 'apply', waves, edges })
  const ids = (await client.query('select id from stacks order by id')).rows.map(({ id }) => id)
  const merged = { type: 'pull_request.closed', pr_number: 1, merged: true, apply_in_flight: true } as const
  for (const stackId of ids) await runtime.send({ to: { kind: 'lock', stackId }, event: merged, actor: 'test' })

  await runtime.send(failure(runId, 'root'))
  const heard = (await readJournal(pool, 'run', runId)).slice(2).map(({ event }) => event)
  t.same(heard, [
    { type: 'stack.settled', wave: 0, outcome: 'failed' },
    { type: 'stack.settled', wave: 1, outcome: 'blocked', stacks: 3 },
    { type: 'stack.settled', wave: 2, outcome: 'blocked', stacks: 2 },
  ])
  t.match(await locks(), ['a held.merged', 'b held.merged'], 'a lock of what is blocked hears when the run ends')

  await runtime.send(failure(runId, 'z'))
  t.same(
    (await locks()).map((lock) => lock.split(' ')[1]),
    ids.map(() => 'held.orphaned'),
  )
  const { rows } = await client.query('select stack_id, key, status, seq from run_stacks order by key')
  for (const { stack_id, key, status, seq } of rows) {
    const journal = await readJournal(pool, 'stack', stackRowId(runId, stack_id))
    t.equal(journal.at(-1)?.seq, seq, `${key} is journalled to its last transition`)
    t.equal(replay('stack', journal).value, status, `${key} replays to ${status}`)
  }
  const run = replay('run', await readJournal(pool, 'run', runId))
  t.same(
    run.context.tallies.map(({ blocked, skipped, failed }) => [blocked, skipped, failed]),
    [
      [0, 0, 2],
      [3, 0, 0],
      [2, 0, 0],
      [0, 1, 0],
    ],
  )
})

t.test('rows that differ make their own transitions, though they are told the same', async (t) => {
  const waves = [
    ['x', 'y'],
    ['of-x', 'of-both', 'of-y'],
  ]
  const edges = [dependsOn('of-x', 'x'), dependsOn('of-both', 'x'), dependsOn('of-both', 'y'), dependsOn('of-y', 'y')]
  const { runId } = await seedRun(pool, runtime, { mode: 'apply', prNumber: 2, waves, edges })
  await runtime.send(failure(runId, 'x'))
  await runtime.send(failure(runId, 'y'))
  const { rows } = await client.query(
    'select key, blocked_by, seq from run_stacks where run_id = $1 and wave = 1 order by key',
    [runId],
  )
  t.same(rows, [
    { key: 'of-both', blocked_by: ['x', 'y'], seq: 2 },
    { key: 'of-x', blocked_by: ['x'], seq: 1 },
    { key: 'of-y', blocked_by: ['y'], seq: 1 },
  ])
})

t.test(
  'of stacks that are lost together the run hears how many, and each lock that its stack may have changed',
  async (t) => {
    const { runId } = await seedRun(pool, runtime, { mode: 'apply', prNumber: 3, waves: [['p', 'q', 'r']] })
    await runtime.send({ to: { kind: 'run', id: runId }, event: { type: 'runner.lost' }, actor: 'test' })
    const heard = (await readJournal(pool, 'run', runId)).map(({ event }) => event)
    t.match(heard.at(-1), { type: 'stack.settled', wave: 0, outcome: 'unknown', stacks: 3 })
    const { rows } = await client.query(
      'select s.key, l.state from locks l join stacks s on s.id = l.stack_id where l.run_id = $1 order by s.key',
      [runId],
    )
    t.same(
      rows,
      ['p', 'q', 'r'].map((key) => ({ key, state: 'held.changed' })),
    )
    const late = { type: 'result.reported', outcome: 'changes', digest: 'late' } as const
    await runtime.send({ to: { kind: 'stack', runId, key: 'q' }, event: late, actor: 'test' })
    t.match((await readJournal(pool, 'run', runId)).at(-1)?.event, { outcome: 'succeeded', from: 'unknown' })
    const { context } = replay('run', await readJournal(pool, 'run', runId))
    t.match(context.tallies, [{ open: 0, unknown: 2, succeeded: 1 }])
  },
)

t.test('stacks that begin together have a journal each, which goes on where it was', async (t) => {
  const { runId } = await seedRun(pool, runtime, { waves: [['m', 'n']] })
  await runtime.send(failure(runId, 'm'))
  const stacks = ['m', 'n', 'o', 'p'].map((key, n) => ({ key, path: key, wave: n % 2, reasons: ['changed'] }))
  const keys = stacks.map(({ key }) => key)
  const run = { id: runId, repoId: 1, mode: 'plan' } as const
  await transact(pool, async (tx) => {
    await lockRuns(tx, [runId])
    await planStacks(runtime, tx, { run, stacks, keys, who: { actor: 'test' } }, 'graph.resolved')
  })
  const journals = await client.query(
    `select s.key, array_agg(j.seq order by j.seq) as seqs, array_agg(j.event->'input'->'wave' order by j.seq) as waves
     from journal j join stacks s on s.id = j.subject_id where j.run_id = $1 and j.kind = 'stack' group by 1 order by 1`,
    [runId],
  )
  t.same(journals.rows, [
    { key: 'm', seqs: [0, 1, 2], waves: [0, null, 0] },
    { key: 'n', seqs: [0, 1], waves: [0, 1] },
    { key: 'o', seqs: [0], waves: [0] },
    { key: 'p', seqs: [0], waves: [1] },
  ])
})
