import t from 'tap'
import { systemClock } from '#clock.ts'
import { ofInstallation } from '#db/tenant.ts'
import { transact } from '#db/transact.ts'
import { waitingForLocks } from '#db/views/lock-view.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { openDatabase } from '#test/helpers/open-database.ts'
import { seedRepository, seedRun } from '#test/helpers/seed.ts'
import { genericPlan, heard, type Statement } from '#test/scenes/generic-plan.ts'

/* A stack that everybody changes: 300 open pull requests have planned it, and 3,000 runs did before. */

const [open, former] = [300, 3000]
const { pool, client } = await openDatabase(t)
await seedRepository(pool)
const runtime = createRuntime({ pool, clock: systemClock })
const { runId } = await seedRun(pool, runtime, { waves: [['shared']] })
const [run] = (await client.query('select * from runs where id = $1', [runId])).rows
const [row] = (await client.query('select * from run_stacks where run_id = $1', [runId])).rows

/** As many more runs of the same stack, of pull requests of these numbers, whose head is theirs or another one. */
const addRuns = async (count: number, firstNumber: number, isOfHead: boolean): Promise<void> => {
  await client.query(
    `with made as (
      select gen_random_uuid() as run_id, $1::int + n % ${open} as number from generate_series(0, $2::int - 1) n), plans as (
      insert into runs select (jsonb_populate_record(r, jsonb_build_object(
        'id', m.run_id, 'pr_number', m.number, 'sha', case when $3 then r.sha else repeat('e', 40) end))).*
      from runs r cross join made m where r.id = $4)
    insert into run_stacks select (jsonb_populate_record(x, jsonb_build_object('run_id', m.run_id))).*
    from run_stacks x cross join made m where x.run_id = $4`,
    [firstNumber, count, isOfHead, runId],
  )
}

await client.query(
  `insert into pull_requests (installation_id, repo_id, number, title, state, head_sha, base_ref, base_sha, author, read_at)
   select $1, $2, n, 'a title', case when n < 1000 + ${open} then 'open' else 'closed' end, $3, 'main', $3, 'ada', now()
   from generate_series(1000, 1000 + ${2 * open} - 1) n`,
  [run.installation_id, run.repo_id, run.sha],
)
await addRuns(open, 1000, true)
await addRuns(former / 2, 1000, false)
await addRuns(former / 2, 1000 + open, true)
await transact(pool, (tx) => runtime.openLocks(tx, [row.stack_id], { actor: 'test' }))

t.test(
  'who waits for a lock is told by a look at each open pull request, however many runs had the stack',
  async (t) => {
    await client.query('analyze')
    const statements: Statement[] = []
    const waiting = await transact(pool, (tx) =>
      waitingForLocks(heard(ofInstallation(tx, 1), statements), [{ stack_id: row.stack_id, repo_id: run.repo_id }]),
    )
    t.equal(waiting.length, 10)
    t.match(waiting[0], { stack_id: row.stack_id, pr_number: 1000, total: open })
    const [statement] = statements
    if (!statement) throw new Error('nothing was asked')
    const plan = await genericPlan(client, statement, 'analyze, buffers, costs off, timing off, summary off')
    const pages = Number(/Buffers: shared hit=(\d+)/.exec(plan)?.[1])
    t.ok(pages < 12 * open, `${pages} pages were read:\n${plan}`)
  },
)
