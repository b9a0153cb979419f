import t from 'tap'
import { systemClock } from '#clock.ts'
import { transact } from '#db/transact.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { openDatabase } from '#test/helpers/open-database.ts'
import { seedRepository, seedRun, takeLocks } from '#test/helpers/seed.ts'
import { until } from '#test/helpers/until.ts'

const { pool, client, isAnyoneHeld } = await openDatabase(t)
await seedRepository(pool)
const runtime = createRuntime({ pool, clock: systemClock })
const keys = Array.from({ length: 9 }, (_, n) => `stack-${n}`)

t.test('whoever needs several locks takes them in the order of stacks: so nobody waits in a circle', async (t) => {
  await seedRun(pool, runtime, { mode: 'apply', waves: [keys] })
  const ids = (await client.query('select stack_id from locks order by stack_id')).rows.map(({ stack_id }) => stack_id)
  const { runId } = await seedRun(pool, runtime, { waves: [keys] })
  await client.query('begin')
  await client.query('select from locks where stack_id = $1 for no key update', [ids[4]])
  const taking = transact(pool, (tx) => takeLocks(runtime, tx, { runId, prNumber: 1, keys }))
  await until(isAnyoneHeld)
  const others = await client.query('select stack_id from locks order by stack_id for no key update skip locked')
  t.same(
    others.rows.map(({ stack_id }) => stack_id),
    ids.slice(4),
    'who waits for the fifth has the four before it, and none behind',
  )
  await client.query('rollback')
  await taking
})
