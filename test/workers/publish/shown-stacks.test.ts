import t from 'tap'
import { systemClock } from '#clock.ts'
import { portionBytes } from '#portions.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { openDatabase } from '#test/helpers/open-database.ts'
import { seedRepository, seedRun } from '#test/helpers/seed.ts'
import { shownStacks, shownStacksOf } from '#workers/publish/shown-stacks.ts'

/* A run with more texts than are read for a comment: 600 plans of 10 KB, of which rows keep and reports read 8. */

const { pool, client } = await openDatabase(t)
await seedRepository(pool)
const runtime = createRuntime({ pool, clock: systemClock })
const keys = Array.from({ length: 600 }, (_, index) => `stacks/${String(index).padStart(3, '0')}`)
const { runId } = await seedRun(pool, runtime, { waves: [keys] })
const statusOf = (index: number): string => (index === 599 ? 'failed' : 'planned')

await client.query(
  `update run_stacks set status = case when key = 'stacks/599' then 'failed' else 'planned' end where run_id = $1`,
  [runId],
)
await client.query(
  `insert into results (installation_id, run_id, stack_id, body, plan_text, reported_at)
   select installation_id, run_id, stack_id, jsonb_build_object(
     'mode', 'plan', 'status', 'success', 'error_text', repeat('e', 5000), 'job_url', 'https://ci.example.com/1', 'summary',
     jsonb_build_object('adds', 1, 'changes', 0, 'replaces', 0, 'destroys', case when key = 'stacks/598' then 1 else 0 end, 'added', '["a.b"]'::jsonb)),
     repeat('p', 10000), now()
   from run_stacks where run_id = $1`,
  [runId],
)
await client.query(
  `insert into checks (installation_id, run_id, stack_id, name, status, summary, updated_at)
   select installation_id, run_id, stack_id, 'policy', 'fail', repeat('s', 4000), now() from run_stacks where run_id = $1`,
  [runId],
)

t.test('all stacks are shown in their order, with texts that are read up to a limit', async (t) => {
  const shown = await shownStacks(pool, runId)
  t.same(
    shown.map(({ key, status }) => [key, status]),
    keys.map((key, index) => [key, statusOf(index)]),
  )
  const read = shown.filter(({ plan_text }) => plan_text !== '')
  const sizeOf = ({ plan_text, result, checks }: (typeof read)[number]): number =>
    (plan_text?.length ?? 0) + JSON.stringify(result).length + (checks[0]?.summary?.length ?? 0)
  const bytes = read.reduce((sum, one) => sum + sizeOf(one), 0)
  t.ok(bytes < portionBytes && bytes > portionBytes * 0.9, `${bytes} bytes are read`)
})

t.test('what failed and what takes something away is read first', async (t) => {
  const [rest, away, failed] = (await shownStacks(pool, runId)).slice(-3)
  t.match(failed, { key: 'stacks/599', plan_text: /^p{8193}$/, result: { error_text: /^e{5000}$/ } })
  t.match(away, { key: 'stacks/598', plan_text: /^p{8193}$/, result: { summary: { added: ['a.b'] } } })
  t.match(rest, { key: 'stacks/597', plan_text: '' })
})

t.test('of the rest the counts, the beginning of the error and the verdicts are known', async (t) => {
  const rest = (await shownStacks(pool, runId)).find(({ plan_text }) => plan_text === '')
  t.same(rest?.result?.summary, { adds: 1, changes: 0, replaces: 0, destroys: 0 })
  t.equal(rest?.result?.error_text, `${'e'.repeat(200)}…`)
  t.notHas(rest?.result, { job_url: String })
  t.match(rest, { plan_bytes: 10_000, checks: [{ name: 'policy', status: 'fail' }] })
  t.notMatch(rest?.checks, [{ summary: String }])
})

t.test('rows of several runs share the limit', async (t) => {
  const { runId: other } = await seedRun(pool, runtime, { waves: [['other']] })
  const ids = (await client.query('select run_id, stack_id from run_stacks')).rows
  const shown = await shownStacksOf(
    pool,
    ids.map(({ run_id, stack_id }) => ({ runId: run_id, stackId: stack_id })),
  )
  t.equal(shown.length, 601)
  t.equal(shown.find(({ run_id }) => run_id === other)?.key, 'other')
  const bytes = shown.reduce((sum, one) => sum + (one.plan_text?.length ?? 0), 0)
  t.ok(bytes < portionBytes / 2, `${bytes} bytes are read`)
})
