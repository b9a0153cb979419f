import t, { type Test } from 'tap'
import { directoriesOf, removeLeftovers, removePostgres, self } from '#dev/leftovers.ts'
import { query } from '#test/scenes/scene.ts'
import { aftermath } from './life/aftermath.ts'
import { createChronicle } from './life/chronicle.ts'
import type { DatabaseState } from './life/database.ts'
import { happenings } from './life/happenings.ts'
import type { InstanceState } from './life/instance.ts'
import type { Life } from './life/life.ts'
import { playLife } from './life/play-life.ts'
import { lies } from './life/readiness.ts'
import { wrongClocks } from './life/wrong-clocks.ts'
import { startProofServer } from './proofs/server.ts'

/* `npm run proof -- life` plays the same with many more pull requests, for minutes, and with every happening. */

/** Changes made behind the service's back at the end, and what the proof should find: else it would prove nothing. */
const tampering: [statement: string, seen: RegExp][] = [
  [
    `update results set body = body::jsonb || '{"duration_ms": 0}' where run_id = (select run_id from results limit 1)`,
    /\(0\)/,
  ],
  [
    `update runs set status = 'planned' where id = (select id from runs where status = 'superseded' limit 1)`,
    /1 live p/,
  ],
  [`update dispatches set workflow_run_id = 1 where id = (select id from dispatches limit 1)`, /is of 0 dispatches/],
  [
    `update locks set state = 'held.changed' where stack_id = (select stack_id from locks limit 1)`,
    /is still held.changed by/,
  ],
  [`update comment_commands set outcome = null where verb = 'unlock'`, /command \d+ is open/],
  [`update runs set mode = 'drift' where id = (select id from runs where mode = 'apply' limit 1)`, /commands began/],
  [`delete from jobs where id = (select max(id) from jobs where delivery_id is not null)`, /was lost/],
  [`update jobs set state = 'dead' where id = (select max(id) from jobs)`, /left in the queue/],
  [
    `update run_stacks set status = 'failed' where mode = 'plan' and key like '%/app'`,
    /there is no svc.plan: .*failure/,
  ],
  [
    `insert into audit (installation_id, actor, action, target, details) select installation_id, actor, action, target, details from audit`,
    /than once/,
  ],
  [
    `insert into timers (installation_id, kind, id, name, event, due_at) values (1, 'lock', gen_random_uuid(), 'reminder', '{}', now())`,
    /r is l/,
  ],
  [`delete from lock_journal where seq = 1`, /the journal of the lock of .* leads elsewhere/],
]

const isSeen = async (t: Test, life: Life): Promise<void> => {
  const [world] = life.worlds
  for (const [statement] of tampering) await query(world!, statement)
  const { broken } = await aftermath(life)
  for (const [statement, seen] of tampering) t.match(broken.join('\n'), seen, statement)
}

t.test('six pull requests live through a killed instance, a restart of Postgres and a wrong clock', async (t) => {
  t.setTimeout(120_000)
  // the server of other tests must keep running
  await removeLeftovers('proof')
  const { postgres } = directoriesOf('proof', self)
  t.teardown(() => removePostgres(postgres))
  const { url } = await startProofServer(postgres)
  const begun = performance.now()
  const report = await playLife({
    databaseUrl: url,
    postgresDir: postgres,
    dataDir: t.testdir(),
    repositories: ['acme/infra', 'globex/infra'],
    pulls: 6,
    seconds: 2,
    happenings: [happenings.restartPostgresAndA, wrongClocks.hourAhead],
    // longer than a lease: a clock that is an hour ahead believes all leases to be over
    times: { away: 1, cutOff: 0, frozen: 3 },
    seed: 1,
    isRough: true,
    leaseSeconds: 2,
    calmSeconds: 0.7,
    endSeconds: 30,
    backOffSeconds: 1,
    tell: (line) => t.comment(`${Math.round(performance.now() - begun)} ms: ${line}`),
    afterwards: (life) => isSeen(t, life),
  })
  t.same(report.broken, [], 'nothing is lost or doubled, and readiness was right')
  t.match(report.figures, { pullRequests: 6, merged: 4, closed: 2 })
  t.comment(JSON.stringify(report))
})

t.test('which answers about readiness are wrong', (t) => {
  const [instance, database] = [createChronicle<InstanceState>('up', 0), createChronicle<DatabaseState>('up', 0)]
  database.enter('falling', 10_000)
  database.enter('down', 10_100)
  database.enter('rising', 20_000)
  database.enter('up', 21_000)
  instance.enter('ending', 30_000)
  instance.enter('dead', 31_000)
  const cases: [from: number, to: number, status: number | undefined, isLie: boolean][] = [
    [5000, 5010, 200, false],
    [5000, 5010, 503, true],
    [5000, 9000, undefined, true],
    [9990, 10_200, 200, false],
    [11_000, 11_010, 200, true],
    [11_000, 13_100, 503, false],
    [11_000, 15_000, 503, true],
    [22_000, 22_010, 503, false],
    [26_000, 26_010, 503, true],
    [30_500, 30_510, 200, true],
    [30_500, 30_510, 503, false],
    [30_500, 30_510, undefined, false],
    [40_000, 40_010, undefined, false],
  ]
  for (const [from, to, status, isLie] of cases) {
    const probes = [{ from, to, status }]
    const found = lies([{ name: 'A', chronicle: instance, probes }], database)
    t.equal(found.filter((lie) => !/ended/.test(lie)).length > 0, isLie, `${status} from ${from} to ${to}: ${found}`)
  }
  const goodEnd = [{ from: 30_100, to: 30_110, status: 503 }]
  t.same(lies([{ name: 'A', chronicle: instance, probes: goodEnd }], database), [])
  t.match(lies([{ name: 'A', chronicle: instance, probes: [] }], database), ['A ended without announcing it'])
  t.end()
})
