import t from 'tap'
import { systemClock } from '#clock.ts'
import { ofInstallation } from '#db/tenant.ts'
import { transact } from '#db/transact.ts'
import type { Message } from '#runtime/message.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { openDatabase } from '#test/helpers/open-database.ts'
import { seedRepository, seedRun } from '#test/helpers/seed.ts'
import { until } from '#test/helpers/until.ts'

const { pool, client, isAnyoneHeld } = await openDatabase(t)
await seedRepository(pool)
const { runId } = await seedRun(pool, createRuntime({ pool, clock: systemClock }), { waves: [['a', 'b', 'c']] })

let now = new Date('2026-11-26T12:00:00.000Z')
const runtime = createRuntime({ pool, clock: { now: () => now } })

const report = (key: string) =>
  runtime.send({
    ...{ to: { kind: 'stack', runId, key }, actor: 'test', installationId: 1 },
    event: { type: 'result.reported', outcome: 'changes', digest: key },
    document: () => ({ body: { mode: 'plan', status: 'success' }, plan_text: null }),
  })

const rows = async (text: string) => (await client.query(text)).rows

t.test('results that come while another holds their run are stored together, none before it was sent', async (t) => {
  await client.query('begin')
  await client.query('select from runs for no key update')
  const answers = [report('a')]
  await until(isAnyoneHeld)
  now = new Date('2026-11-26T12:00:03.000Z')
  answers.push(report('b'), report('c'))
  await client.query('commit')
  t.same(
    (await Promise.all(answers)).map(({ outcome }) => outcome),
    ['moved', 'moved', 'moved'],
  )
  t.same(await rows(`select distinct finished_at from run_stacks`), [{ finished_at: now }])
  t.same(await rows(`select count(distinct xmin::text)::int as transactions from results`), [{ transactions: 1 }])
})

t.test('who comes later in the same transaction is judged by what the earlier ones did', async (t) => {
  const { runId: other } = await seedRun(pool, runtime, { waves: [['a']] })
  const seen: (string | undefined)[] = []
  const message = (digest: string) =>
    ({
      ...{ to: { kind: 'stack', runId: other, key: 'a' }, actor: 'test' },
      event: { type: 'result.reported', outcome: 'changes', digest },
      permit: ({ stack, run }) => {
        seen.push(`${stack?.status} of ${run?.status}`)
        return undefined
      },
    }) satisfies Message
  await transact(ofInstallation(pool, 1), (tx) => runtime.sendAll(tx, [message('1'), message('2')]))
  t.same(seen, ['planning of planning', 'planned of planned'])
})
