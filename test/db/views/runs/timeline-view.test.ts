import t from 'tap'
import { systemClock } from '#clock.ts'
import type { Reader } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { timelineOf } from '#db/views/runs/timeline-view.ts'
import type { Message } from '#runtime/message.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { openDatabase } from '#test/helpers/open-database.ts'
import { seedRepository, seedRun } from '#test/helpers/seed.ts'

/* A run of 600 stacks among the transitions of many others. */

const { pool, client } = await openDatabase(t)
await seedRepository(pool)
const runtime = createRuntime({ pool, clock: systemClock })
const keys = Array.from({ length: 600 }, (_, n) => `stack/${n}`)
const { runId } = await seedRun(pool, runtime, { waves: [keys] })
const results = keys.map(
  (key): Message => ({
    to: { kind: 'stack', runId, key },
    event: { type: 'result.reported', outcome: 'changes', digest: key },
    actor: 'runner',
    document: () => ({ body: { mode: 'plan', status: 'success' }, plan_text: null }),
  }),
)
await transact(pool, (tx) => runtime.sendAll(tx, results))
await client.query(`
  insert into journal (installation_id, kind, subject_id, run_id, seq, event, actor, state_to, actions, at)
    select 1, 'run', id, id, seq, '{"type": "x"}', 'x', 'x', '[]', now()
    from (select gen_random_uuid() as id from generate_series(1, 5000)) r cross join generate_series(0, 9) seq;
  insert into lock_journal (installation_id, stack_id, run_id, seq, event, actor, state_to, actions, at)
    select 1, gen_random_uuid(), case when n % 2 = 0 then '${runId}'::uuid else gen_random_uuid() end, n, '{"type": "x"}', 'x', 'x',
      '[]', now()
    from generate_series(1, 5000) n;
  analyze`)

/** What Postgres does for the statement, and what it read of the journal. */
const planOf = async (after: number): Promise<string> => {
  const asked: { sql: string; values: unknown[] }[] = []
  const noting = {
    any: async (query: { sql: string; values: unknown[] }) => asked.push(query) && [],
  } as unknown as Reader
  await timelineOf(noting, { runId, after, limit: 501 })
  const [{ sql, values }] = asked as [{ sql: string; values: unknown[] }]
  const text = sql.replaceAll(/\$slonik_(\d+)/g, (_, at) => client.escapeLiteral(String(values[Number(at) - 1])))
  const { rows } = await client.query(`explain (analyze, costs off, timing off) ${text}`)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

t.test('a page is a stretch of two indexes, the first like the last, and reads no more than it shows', async (t) => {
  const all = await timelineOf(pool, { runId, after: 0, limit: 100_000 })
  t.ok(all.length > 1800, 'each stack began, was started and reported')
  for (const after of [0, all[1000]?.entry ?? 0]) {
    const plan = await planOf(after)
    t.match(plan, /Index Scan using journal_\w+_run_id_entry_idx on journal_\w+ journal .*rows=501/, plan)
    t.notMatch(plan, /Seq Scan on (journal|lock_journal|stacks)/)
    t.match(plan, /Index Scan using lock_journal_run on lock_journal .*rows=1[. ]/)
    t.notMatch(plan, /Sort Method/)
  }
})

t.test('pages together are the whole, in the order of what led to what', async (t) => {
  const all = await timelineOf(pool, { runId, after: 0, limit: 100_000 })
  const paged = []
  for (let after = 0; ; ) {
    const page = await timelineOf(pool, { runId, after, limit: 500 })
    if (page.length === 0) break
    paged.push(...page)
    after = page.at(-1)?.entry ?? 0
  }
  t.same(paged, all)
  const first = all.findIndex(({ kind, event }) => kind === 'stack' && event.type === 'result.reported')
  t.match(all[first], { key: 'stack/0', state_from: 'planning', state_to: 'planned', actor: 'runner' })
  t.match(
    all[first + 1],
    { kind: 'run', key: null, event: { type: 'stack.settled' } },
    'and right after it what it tells',
  )
})
