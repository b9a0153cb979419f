import t from 'tap'
import { systemClock } from '#clock.ts'
import { findRunStackId, loadStacksByKey, loadStacksOfRun } from '#db/machines/run-stacks.ts'
import { lockRunWithStack } from '#db/machines/run-with-stack.ts'
import { storeTransitions } from '#db/machines/store-transitions.ts'
import { findKeptText, findPlanUrl } from '#db/runs/plan-texts.ts'
import { ofInstallation } from '#db/tenant.ts'
import { transact } from '#db/transact.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { openDatabase } from '#test/helpers/open-database.ts'
import { seedRepository, seedRun } from '#test/helpers/seed.ts'
import { genericPlan, heard, type Statement } from '#test/scenes/generic-plan.ts'
import { shownStacks } from '#workers/publish/shown-stacks.ts'

/* Rows of runs have no index of keys: a row is found by the stack that has the key in the run's repository. */

const { pool, client } = await openDatabase(t)
await seedRepository(pool)
const runtime = createRuntime({ pool, clock: systemClock })
const keys = Array.from({ length: 2500 }, (_, index) => `stacks/${String(index).padStart(4, '0')}`)
// the stacks of the second run are older than the first of its keys
const { runId } = await seedRun(pool, runtime, { waves: [keys.slice(10, 1300), keys.slice(1300)] })
const { runId: other } = await seedRun(pool, runtime, { waves: [keys.slice(0, 2400)] })

// so many runs that none is looked for by reading all
await client.query(`
  insert into runs select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()))).*
  from runs r cross join generate_series(1, 2000) where r.id = '${runId}'`)

const [first = '', last = ''] = [keys[10], keys.at(-1)]

/** Every way to a row by its key. */
const asked = async (said: boolean): Promise<Statement[]> => {
  const statements: Statement[] = []
  await transact(pool, async (transaction) => {
    const owned = heard(ofInstallation(transaction, 1), statements)
    const tx = said
      ? owned
      : heard(Object.assign(Object.create(transaction), { installationId: undefined }), statements)
    t.match(await lockRunWithStack(owned, { runId, key: last }), { run: { id: runId }, stack: { key: last, wave: 1 } })
    t.match(await loadStacksByKey(tx, [{ runId, key: first }]), [{ run_id: runId, key: first }])
    // several runs are locked by those who said whose they are
    const two = [
      { runId, key: last },
      { runId: other, key: first },
    ]
    const rows = await loadStacksByKey(owned, two)
    t.same(new Set(rows.map((row) => `${row.run_id} ${row.key}`)), new Set([`${runId} ${last}`, `${other} ${first}`]))
    t.type(await findRunStackId(tx, runId, last), 'string')
    t.equal(await findPlanUrl(tx, { runId, key: last }), null)
    t.match(await findKeptText(tx, { runId, key: last }), { plan_output: 'full' })
  })
  return statements
}

t.test('a row is found by its key with a probe of each index, however many stacks the run has', async (t) => {
  for (const counted of [false, true]) {
    if (counted) await client.query('analyze')
    for (const statement of [...(await asked(true)), ...(await asked(false))]) {
      const plan = await genericPlan(client, statement, 'analyze, costs off, timing off, summary off')
      const reads = plan.split('\n').filter((line) => line.includes(' run_stacks_') && !line.includes('never executed'))
      t.ok(reads.length > 0 && reads.every((line) => /Index (Only )?Scan using run_stacks_\w+_pkey/.test(line)), plan)
      t.match(plan, /Index Scan using stacks_repo_id_key_key/)
      t.notMatch(plan, /Seq Scan on (run_stacks|stacks|runs)|Rows Removed by (?!Join)/)
    }
  }
})

/** How the statement that stores a change of these stacks is carried out. */
const planOfStored = async (named: { runId: string; key: string }[]): Promise<string> => {
  const statements: Statement[] = []
  await transact(pool, async (transaction) => {
    const tx = heard(ofInstallation(transaction, 1), statements)
    const change = { fence: null, digest: null, blocked_by: [], lost: null, rev: 2 }
    const stacks = (await loadStacksByKey(tx, named)).map((row) => ({ ...row, stack_ids: [row.stack_id], ...change }))
    t.equal(stacks.length, named.length)
    await storeTransitions(tx, { runs: [], standings: [], journal: [], results: [], jobs: [], stacks })
  })
  const [stored] = statements.filter(({ text }) => text.includes('update run_stacks'))
  if (!stored) throw new Error('nothing was stored')
  return genericPlan(client, stored, 'analyze, costs off, timing off, summary off')
}

t.test('what a result changes is stored with a probe of the row, however many stacks the run has', async (t) => {
  const plan = await planOfStored([{ runId, key: last }])
  t.match(plan, /Index Scan using run_stacks_\w+_pkey on \w+ \w+ \(actual rows=1\.00 loops=1\)/)
  t.notMatch(plan, /Seq Scan on run_stacks/)
})

t.test('what results of several runs change is stored without a look at what is between them', async (t) => {
  const plan = await planOfStored([
    { runId, key: last },
    { runId: other, key: first },
  ])
  const reads = plan.matchAll(/Scan using run_stacks_\w+_pkey on \w+ \w+ \(actual rows=([\d.]+) loops=(\d+)\)/g)
  const rows = [...reads].reduce((sum, [, each, loops]) => sum + Number(each) * Number(loops), 0)
  t.ok(rows <= 4, `${rows} rows, of two stacks in two runs: ${plan}`)
  t.notMatch(plan, /Seq Scan on run_stacks/)
})

t.test('a key that the run has no row of is not there, though its repository has the stack', async (t) => {
  const [key = ''] = keys
  t.equal(await findRunStackId(pool, runId, key), undefined)
  t.equal(await findPlanUrl(pool, { runId, key }), undefined)
  t.equal(await findKeptText(pool, { runId, key: 'never' }), undefined)
  const found = await transact(pool, (tx) => loadStacksByKey(tx, [{ runId, key }]))
  t.same(found, [])
})

t.test('all rows of a run come a portion at a time, and are shown in the order of waves and keys', async (t) => {
  const ids: string[] = []
  await transact(pool, async (tx) => {
    for await (const rows of loadStacksOfRun(ofInstallation(tx, 1), runId)) ids.push(...rows.map((row) => row.stack_id))
  })
  t.same(ids, ids.toSorted())
  t.equal(new Set(ids).size, 2490)
  const shown = await shownStacks(pool, runId)
  t.same(
    shown.map(({ key }) => key),
    keys.slice(10),
  )
})
