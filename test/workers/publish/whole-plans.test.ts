import t from 'tap'
import { addJobs } from '#db/queue/jobs.ts'
import { planDiff } from '#domain/texts/plan-diff.ts'
import { makeJob } from '#jobs/job.ts'
import { s3Variables, startS3Server } from '#test/helpers/s3-server.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { opened, query, stack } from '#test/scenes/scene.ts'

process.env.AWS_ACCESS_KEY_ID = 'AKIATEST'
process.env.AWS_SECRET_ACCESS_KEY = 'right'
const bucket = await startS3Server({ accessKeyId: 'AKIATEST', bucket: 'plans', secret: 'right' })
t.teardown(() => bucket.close())
const world = await startWorld(t, { env: s3Variables(bucket, 'plans') })

const line = '  + a = "ä"\n'
const plans: Record<string, string> = {
  short: 'short\n',
  long: `${line.repeat(2_500)}the end of long\n`,
  huge: `${line.repeat(15_000)}the end of huge\n`,
}

/** A run whose plans are published, stored, or still in the database. */
const planned = async () => {
  const { job, id, pull } = await opened(world)
  const keys = Object.keys(plans)
  await job.upload(id, { graph: { stacks: keys.map((key) => stack(key)) }, stacks: keys })
  for (const key of keys) await job.report(id, key, { plan_text: plans[key] })
  return { id, pull }
}

const textOf = ({ pull }: Awaited<ReturnType<typeof planned>>, key: string): string =>
  pull.checkRuns().find(({ name }) => name === `svc/plan: ${key}`)?.text ?? ''

/** What is sent to the code host when the run is published again, and how often the bucket was read for it. */
const shownAgain = async (id: string): Promise<{ sent: string[]; read: number }> => {
  const [before, asked] = [world.github.requests.length, bucket.asked.length]
  const [row] = await query(world, `select installation_id from repositories limit 1`)
  await addJobs(world.pool, [
    makeJob('publish_run', { run_id: id }, { installationId: row?.installation_id, cause: null }),
  ])
  await world.settled()
  const sent = world.github.requests
    .slice(before)
    .filter(({ method, path }) => method === 'PATCH' && !/token/.test(path))
  return {
    sent: sent.map(({ path }) => path.replace(/.*\/([a-z-]+)\/\d+$/, '$1')).sort(),
    read: bucket.asked.slice(asked).filter((one) => one.startsWith('GET')).length,
  }
}

/** As if nothing of it had been published yet. */
const forget = (id: string) =>
  query(world, `update check_runs set digest = '', made_of = null where run_id = '${id}' returning run_id`)

t.test('check runs and comment show long plans up to their limits, wherever the plans are stored', async (t) => {
  bucket.now.mood = 'gone'
  const run = await planned()
  await until(async () => Object.keys(plans).every((key) => textOf(run, key) !== ''))
  const fromDatabase = Object.keys(plans).map((key) => textOf(run, key))
  bucket.now.mood = 'well'
  await query(world, `update jobs set run_at = now() where kind = 'store_plans' and state = 'queued' returning id`)
  await world.settled()
  t.match(await query(world, `select 1 from results where run_id = '${run.id}' and plan_url is null`), [])
  const comment = run.pull.comments()[0]?.body ?? ''

  t.same(await shownAgain(run.id), { sent: [], read: 1 }, 'nothing to send: only the comment reads the long plan')
  await forget(run.id)
  t.same(await shownAgain(run.id), { sent: Array(5).fill('check-runs'), read: 3 })
  t.ok(Object.keys(plans).every((key, index) => textOf(run, key) === fromDatabase[index]))
  t.ok(run.pull.comments()[0]?.body === comment)

  const [short = '', long = '', huge = ''] = fromDatabase
  t.equal(short, '```diff\nshort\n```')
  t.ok(long === `\`\`\`diff\n${planDiff(plans.long ?? '')}\`\`\``)
  t.ok(huge.length <= 65_535 && huge.length > 65_000)
  t.match(huge, /… cut here\. The whole text: http:\/\/svc\.example\.com\/runs\/[^\n]+stack=huge\n```$/)
  t.ok(
    comment.includes('the end of long') && comment.includes('the whole text') && !comment.includes('the end of huge'),
  )
})

t.test('while the bucket cannot be read, only the beginnings are shown, and the rest once it can', async (t) => {
  const run = await planned()
  await world.settled()
  const whole = textOf(run, 'long')
  bucket.now.mood = 'gone'
  await forget(run.id)
  t.same(await shownAgain(run.id), {
    sent: ['check-runs', 'check-runs', 'check-runs', 'check-runs', 'check-runs', 'comments'],
    // once for the comment, and once for the check runs
    read: 4,
  })
  const beginning = textOf(run, 'long')
  t.ok(beginning.startsWith(whole.slice(0, 7_500)) && beginning.length < 8_500)
  t.match(beginning, /\n… cut here\. The whole text: http:\/\/svc\.example\.com\/runs\/[^\n]+stack=long\n```$/)
  t.match(
    run.pull.comments()[0]?.body,
    /… cut here: \[the whole text\]\(http:\/\/svc\.example\.com\/runs\/[^)]+stack=long\)/,
  )
  t.same((await shownAgain(run.id)).sent, [], 'unchanged, it is sent only once')
  bucket.now.mood = 'well'
  t.same((await shownAgain(run.id)).sent, ['check-runs', 'check-runs', 'comments'])
  t.ok(textOf(run, 'long') === whole)
})
