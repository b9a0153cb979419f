import t from 'tap'
import { migrate } from '#db/migrate.ts'
import { testDatabase } from '#test/helpers/database.ts'
import { startInstance } from '#test/helpers/instance.ts'
import { playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'
import { openPull } from '#test/scenes/scene.ts'
import { addKey } from '#test/scenes/served.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { isMissing } from './programs.ts'

const skip = isMissing('pgbouncer')

t.test('through PgBouncer in session mode a run is planned', { skip }, async (t) => {
  const world = await startWorld(t)
  const through = await startPgBouncer(t, String(world.env.DATABASE_URL), 'session')
  const service = await startInstance(t, { ...world.env, DATABASE_URL: through })
  const pull = await openPull(world, {})
  const job = playJob({ ...world, service }, pull)
  const { run_id: id } = (await job.open()).body
  t.match(await job.upload(id, { graph: { stacks: [{ key: 'a', path: 'a' }] }, changed_paths: ['a/main.tf'] }), {
    status: 200,
  })
  t.match(await job.report(id, 'a'), { status: 200 })
  const headers = { authorization: `Bearer ${await addKey(through, 'reader')}` }
  t.match(await (await fetch(`${service.url}/v1/runs/${id}`, { headers })).json(), { status: 'planned' })
  await world.settled()
})

t.test('in transaction mode the service does not start, and says why', { skip }, async (t) => {
  const { url } = await testDatabase(t)
  const through = await startPgBouncer(t, url, 'transaction')
  await t.rejects(migrate(through), {
    message: /^DATABASE_URL leads to a pooler in transaction mode: .* Use session mode/,
  })
})
