import t, { type Test } from 'tap'
import { readDelivery } from '#codehost/github/deliveries.ts'
import type { CodeHost } from '#codehost/port.ts'
import { createReceiver } from '#commands/host-news/receive-delivery.ts'
import { createResolver } from '#commands/resolving/resolver.ts'
import { createRepositoryLookUp } from '#db/repositories/repository-look-up.ts'
import { createLog } from '#log.ts'
import { createMetrics } from '#metrics.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { openQueue, workerId } from '#test/scenes/queue.ts'
import { jobRunner } from '#workers/queue/run-job.ts'

/** A code host that nothing is asked of. */
const host = { causedBy: () => host } as Partial<CodeHost> as CodeHost

/** Has a delivery handled; returns the log lines about it, without their times. */
const handled = async (t: Test, event: string, payload: object) => {
  const { pool, clock, claim } = await openQueue(t)
  const lines: string[] = []
  const log = createLog({ level: 'debug', format: 'json' }, { write: (line) => void lines.push(line) })
  const findRepository = createRepositoryLookUp(pool)
  const deps = {
    pool,
    findRepository,
    clock,
    runtime: createRuntime({ pool, clock }),
    codehost: host,
    log,
    readDelivery,
  }
  const rest = {
    resolver: createResolver(),
    metrics: createMetrics({ version: '0', commit: '0' }),
    baseUrl: 'http://svc.example.com',
  }
  await createReceiver(deps)({ id: 'delivery-1', event, payload: JSON.stringify(payload) })
  const retention = { planText: 0, events: 0, drift: 0 }
  const run = jobRunner({ ...deps, ...rest, retention, publishEveryMs: 0, pause: async () => {} })
  for (const job of await claim()) await run(workerId, job, new AbortController().signal, () => {})
  return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a delivery is ignored')
}

t.test('the log says what an ignored delivery was and why it was ignored', async (t) => {
  const said = { delivery: 'delivery-1', level: 'debug' }
  t.match(await handled(t, 'check_suite', { action: 'requested', repository: { id: 9 } }), [
    {
      ...said,
      event: 'check_suite',
      action: 'requested',
      reason: 'nothing follows from check_suite requested: every push makes one',
    },
  ])
  const push = { repository: { id: 9 }, ref: 'refs/heads/main', deleted: false }
  const [line] = await handled(t, 'push', push)
  t.match(line, { ...said, event: 'push', reason: /default branch of a repository that takes part/ })
  t.notOk('action' in line, 'a push has none')
})

t.test('a delivery without its expected fields is a warning', async (t) => {
  t.match(await handled(t, 'pull_request', { action: 'opened', number: 3 }), [
    { level: 'warn', delivery: 'delivery-1', event: 'pull_request', action: 'opened', reason: /^repository: / },
  ])
})

t.test('a delivery with consequences is not logged as ignored', async (t) => {
  t.same(await handled(t, 'installation', { action: 'created' }), [])
})
