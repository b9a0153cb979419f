import t from 'tap'
import { makeJob } from '#jobs/job.ts'
import { s3Variables, startS3Server } from '#test/helpers/s3-server.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { planning, query } from '#test/scenes/scene.ts'

process.env.AWS_ACCESS_KEY_ID = 'AKIATEST'
process.env.AWS_SECRET_ACCESS_KEY = 'right'

t.test('a bucket that hangs holds two handlers, however many organisations have plans for it', async (t) => {
  const bucket = await startS3Server({ accessKeyId: 'AKIATEST', bucket: 'plans', secret: 'right' })
  t.teardown(() => bucket.close())
  const world = await startWorld(t, { env: { ...s3Variables(bucket, 'plans'), SVC_WORKERS: '4' } })
  const { github } = world
  const installation = github.createInstallation({ account: 'other', type: 'Organization' })
  const repository = await github.createRepository({
    owner: 'other',
    name: 'infra',
    files: { 'svc.yml': 'version: 1\n' },
  })
  installation.addRepository(repository.fullName)
  await world.settled()

  bucket.now.mood = 'silent'
  for (const site of [world, { ...world, repository }]) {
    // which lane a run is in is chance: so many runs that each organisation has some in both
    for (const lanes = new Set(); lanes.size < 2; ) {
      const { job, id } = await planning(site, ['a'])
      t.match(await job.report(id, 'a', { plan_text: 'a plan' }), { status: 200 })
      lanes.add(makeJob('store_plans', { run_id: id }, { cause: null }).lane)
    }
  }
  await until(() => bucket.underWay() >= 2)
  const others = `select from jobs where state in ('queued', 'running') and kind <> 'store_plans'`
  await until(async () => bucket.underWay() > 2 || (await query(world, others)).length === 0)
  t.equal(bucket.underWay(), 2, 'and all else is done meanwhile')
})
