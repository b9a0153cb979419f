import t from 'tap'
import { directoriesOf, removeLeftovers, removePostgres, self } from '#dev/leftovers.ts'
import { startPostgres } from '#dev/postgres.ts'
import { happenings } from './life/happenings.ts'
import { playLife } from './life/play-life.ts'

/* `npm run proof -- life` plays the same with many more pull requests, for minutes, and with all that can happen. */

t.test('six pull requests live through a killed instance and a restart of Postgres', async (t) => {
  // the server of other tests is not to be taken away
  await removeLeftovers('proof')
  const { postgres } = directoriesOf('proof', self)
  t.teardown(() => removePostgres(postgres))
  const { url } = await startPostgres({ dir: postgres })
  const report = await playLife({
    databaseUrl: url,
    postgresDir: postgres,
    dataDir: t.testdir(),
    repositories: ['acme/infra', 'globex/infra'],
    pulls: 6,
    seconds: 3,
    happenings: [happenings.killA, happenings.restartPostgres],
    times: { away: 1, cutOff: 0 },
    seed: 1,
    leaseSeconds: 2,
    calmSeconds: 0.7,
    endSeconds: 30,
    backOffSeconds: 1,
    tell: (line) => t.comment(line),
  })
  t.same(report.broken, [], 'nothing is lost or doubled, and readiness told the truth')
  t.match(report.figures, { pullRequests: 6, merged: 4, closed: 2 })
  t.comment(JSON.stringify(report))
})
