import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import t from 'tap'
import { createS3Store } from '#artifacts/s3.ts'
import { storePlans } from '#commands/patrol/store-plans.ts'
import { storeTransitions } from '#db/machines/store-transitions.ts'
import { addJobs } from '#db/queue/jobs.ts'
import { ofInstallation } from '#db/tenant.ts'
import { transact } from '#db/transact.ts'
import { makeJob } from '#jobs/job.ts'
import { createLog } from '#log.ts'
import { jobClaims } from '#test/helpers/runner.ts'
import { s3Variables, startS3Server } from '#test/helpers/s3-server.ts'
import { until } from '#test/helpers/until.ts'
import { addKey, opened, query, secondInstance, send } from '#test/scenes/scene.ts'
import { ask, twoOrganisations } from '#test/scenes/two-organisations.ts'

const secret = 'right'
process.env.AWS_ACCESS_KEY_ID = 'AKIATEST'
process.env.AWS_SECRET_ACCESS_KEY = secret
const bucket = await startS3Server({ accessKeyId: 'AKIATEST', bucket: 'plans', secret })
t.teardown(() => bucket.close())

const lines: string[] = []
const sink = new Writable({ write: (line, _encoding, done) => done(void lines.push(String(line))) })
const log = createLog({ level: 'warn', format: 'json' }, sink)
const variables = { ...s3Variables(bucket, 'plans'), SVC_ARTIFACT_PREFIX: '/teams//svc/' }
const { world, rita, eve } = await twoOrganisations(t, { env: variables, replaced: { log } })
const key = await addKey(world)

/** A run that plans these stacks. */
const planning = async (...stacks: { key: string; [field: string]: unknown }[]) => {
  const one = await opened(world)
  const nodes = stacks.map((stack) => ({ path: stack.key, ...stack }))
  const upload = { graph: { stacks: nodes, edges: [] }, stacks: stacks.map(({ key }) => key) }
  t.match(await one.job.upload(one.id, upload), { status: 200 })
  return one
}

const rowOf = async (id: string, stackKey: string) => {
  const { body } = await send(world, key, `/v1/runs/${id}`)
  return body.stacks.find((stack: { key: string }) => stack.key === stackKey)
}

const pathOf = (id: string, stackKey: string): string => `/v1/runs/${id}/stacks/${encodeURIComponent(stackKey)}/plan`

/** As it is in the bucket: the length of a compressed one is not known when it begins. */
const planOf = (id: string, stackKey: string, url = world.service.url): Promise<Response> =>
  fetch(`${url}${pathOf(id, stackKey)}`, { headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' } })

/** How many objects with this in their name were put. */
const puts = (part: string): number => bucket.asked.filter((one) => one.startsWith('PUT') && one.includes(part)).length

const failedOnce = (id: string, attempt: number): Promise<void> =>
  until(async () => {
    const of = `kind = 'store_plans' and key = '${id}' and last_error is not null`
    return (
      (await query(world, `select 1 from jobs where ${of} and attempt >= ${attempt} and state <> 'running'`)).length > 0
    )
  })

const tryAgain = (id: string) =>
  query(
    world,
    `update jobs set run_at = now() where kind = 'store_plans' and key = '${id}' and state = 'queued' returning id`,
  )

const long = (bytes: number): string => {
  const line = '  + größe = "🚀 größer"\n'
  const text = line.repeat(bytes / Buffer.byteLength(line))
  return text + 'x'.repeat(bytes - Buffer.byteLength(text))
}

t.test('a plan of 256 KB goes to the bucket byte for byte, and its beginning stays', async (t) => {
  const name = 'apps/größe:eu'
  const { job, id, pull } = await planning({ key: name, path: 'apps/größe', instance: 'eu' })
  const text = long(256 * 1024)
  const reported = await job.report(id, name, { plan_text: text, tool: 'tofu', tool_version: '1.9.0' })
  t.match(reported, { status: 200, body: { plan_text: text, plan_url: undefined, truncated: undefined } })
  await world.settled()

  const row = await rowOf(id, name)
  const place = `teams/svc/runs/${id}/${row.stack_id}`
  t.match(row, { truncated: true, plan_url: `s3://plans/${place}/plan.txt` })
  t.ok(text.startsWith(row.plan_text) && row.plan_text.endsWith('\n'))
  t.ok(Buffer.byteLength(row.plan_text) <= 8192 && Buffer.byteLength(row.plan_text) > 8000)
  t.same(bucket.objects.get(`plans/${place}/plan.txt`), { body: Buffer.from(text), type: 'text/plain; charset=utf-8' })
  t.match(JSON.parse(String(bucket.objects.get(`plans/${place}/summary.json`)?.body)), {
    ...{ repo: 'acme/infra', run_id: id, stack_id: row.stack_id, key: name, path: 'apps/größe', sha: pull.headSha() },
    ...{ mode: 'plan', status: 'planned', summary: { adds: 1 }, exit_code: 2, tool: 'tofu', tool_version: '1.9.0' },
    ...{ pr_number: pull.number, started_at: row.started_at, finished_at: row.finished_at, reported_at: /^\d{4}-/ },
  })

  const answer = await planOf(id, name)
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
  t.equal(answer.headers.get('content-length'), String(256 * 1024))
  t.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  t.ok(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(text)))
  const seen = await ask(rita, pathOf(id, name))
  t.ok(seen.status === 200 && seen.text === text, 'for a caller who sees the repository')

  t.equal(puts(id), 2)
  const again = await job.report(id, name, { plan_text: text, tool: 'tofu', tool_version: '1.9.0' })
  t.match(again, { status: 200, body: { plan_text: row.plan_text, plan_url: row.plan_url, truncated: true } })
  await world.settled()
  t.equal(puts(id), 2, 'the same result again is already stored')
})

t.test('a short plan is in both places, an empty one and none are in neither', async (t) => {
  const { job, id } = await planning(
    { key: 'short' },
    { key: 'cut' },
    { key: 'empty' },
    { key: 'none' },
    { key: 'open' },
  )
  await job.report(id, 'short', { plan_text: 'short\n' })
  await job.report(id, 'cut', { plan_text: 'cut by the client\n', truncated: true })
  await job.report(id, 'empty', { plan_text: '' })
  await job.report(id, 'none', { plan_text: undefined, status: 'error', error_text: 'secret' })
  await world.settled()
  t.match(await rowOf(id, 'short'), { plan_text: 'short\n', plan_url: /^s3:/, truncated: undefined })
  t.equal(await (await planOf(id, 'short')).text(), 'short\n')
  t.match(await rowOf(id, 'cut'), { plan_text: 'cut by the client\n', plan_url: /^s3:/, truncated: true })
  for (const stackKey of ['empty', 'none', 'open']) {
    t.match(await rowOf(id, stackKey), { plan_url: undefined, truncated: undefined }, stackKey)
    const answer = await planOf(id, stackKey)
    t.match(await answer.json(), { code: 'not_found', message: /has no plan_url/ }, stackKey)
  }
  t.equal([...bucket.objects.keys()].filter((name) => name.includes(id)).length, 4)
})

t.test('if plan_output is summary, no plan text of a stack is stored anywhere', async (t) => {
  const { job, id } = await planning({ key: 'secret', plan_output: 'summary' })
  await job.report(id, 'secret', { plan_text: long(20_000) })
  await world.settled()
  t.match(await rowOf(id, 'secret'), { plan_text: undefined, plan_url: undefined, summary: { adds: 1 } })
  t.equal(puts(id), 0)
  t.equal((await planOf(id, 'secret')).status, 404)
})

t.test('404, and 401, as the specification lists them', async (t) => {
  const { job, id, pull } = await planning({ key: 'a' })
  await job.report(id, 'a', { plan_text: long(9_000) })
  await world.settled()
  t.equal((await planOf(id, 'a')).status, 200)
  t.match(await (await planOf(randomUUID(), 'a')).json(), { code: 'not_found', message: /does not exist/ })
  t.match(await ask(eve, pathOf(id, 'a')), { status: 404, json: { message: /does not exist/ } }, 'hidden')
  t.match(await (await planOf(id, 'b')).json(), { code: 'not_found', message: /no stack b/ })
  const { SVC_ARTIFACT_BUCKET: _, SVC_ARTIFACT_PREFIX: __, ...bare } = world.env
  const { service } = await secondInstance(t, { ...world, env: bare })
  t.match(await (await planOf(id, 'a', service.url)).json(), { code: 'not_found', message: /no artifact bucket/ })
  const token = await world.github.mintToken(jobClaims(world, pull.number))
  t.match(await send(world, token, pathOf(id, 'a')), { status: 401, body: { code: 'unauthorized' } })
  for (const name of bucket.objects.keys()) if (name.includes(id)) bucket.objects.delete(name)
  t.match(await (await planOf(id, 'a')).json(), { code: 'not_found', message: /not in the artifact bucket any more/ })

  bucket.now.mayList = false
  lines.splice(0)
  t.match(await send(world, key, pathOf(id, 'a')), { status: 500, body: { code: 'internal' } })
  bucket.now.mayList = true
  t.match(lines.join(''), /s3:ListBucket on the bucket.*AccessDenied/)
})

t.test('a bucket that cannot be reached is 503, and a broken-off answer is not taken for a whole one', async (t) => {
  const { job, id } = await planning({ key: 'a' })
  await job.report(id, 'a', { plan_text: long(200_000) })
  await world.settled()
  for (const mood of ['busy', 'gone'] as const) {
    bucket.now.mood = mood
    t.match(await send(world, key, pathOf(id, 'a')), { status: 503, body: { code: 'unavailable' } }, mood)
  }
  bucket.now.mood = 'half'
  const broken = await planOf(id, 'a')
  t.equal(broken.status, 200)
  await t.rejects(broken.text())
  t.match(lines.join(''), /a plan text broke off/)

  bucket.now.mood = 'stalled'
  bucket.asked.splice(0)
  const leaving = new AbortController()
  const answer = await fetch(`${world.service.url}${pathOf(id, 'a')}`, {
    headers: { authorization: `Bearer ${key}` },
    signal: leaving.signal,
  })
  t.equal(answer.status, 200)
  leaving.abort()
  await until(async () => bucket.asked.some((one) => one.endsWith(' left')))
  bucket.now.mood = 'well'
  lines.splice(0)
  const headers = { authorization: `Bearer ${key}` }
  const head = await fetch(`${world.service.url}${pathOf(id, 'a')}`, { method: 'HEAD', headers })
  t.same([head.status, head.headers.get('content-length')], [200, '200000'])
  t.equal((await planOf(id, 'a')).status, 200)
  t.notMatch(lines.join(''), /broke off/, 'a client that does not want the text breaks nothing')
})

t.test('while the bucket is down, texts stay in the database, and go there later', async (t) => {
  const { job, id } = await planning({ key: 'a' }, { key: 'b' })
  bucket.now.mood = 'gone'
  await job.report(id, 'a', { plan_text: long(30_000) })
  await failedOnce(id, 1)
  t.match(await rowOf(id, 'a'), { plan_text: long(30_000), plan_url: undefined, truncated: undefined })
  bucket.now.mood = 'well'
  bucket.now.secret = 'another'
  for (const attempt of [2, 3, 4, 5]) {
    await tryAgain(id)
    await failedOnce(id, attempt)
  }
  t.match(await query(world, `select state, last_error from jobs where kind = 'store_plans' and key = '${id}'`), [
    { state: 'dead', last_error: /^writing s3:.*SignatureDoesNotMatch/ },
  ])
  t.match(await rowOf(id, 'a'), { plan_text: long(30_000), plan_url: undefined })
  bucket.now.secret = secret
  await job.report(id, 'b', { plan_text: long(10_000) })
  await world.settled()
  for (const [stackKey, bytes] of [
    ['a', 30_000],
    ['b', 10_000],
  ] as const) {
    t.match(
      await rowOf(id, stackKey),
      { plan_url: /^s3:/, truncated: true },
      `the next job takes along what was left: ${stackKey}`,
    )
    t.equal(await (await planOf(id, stackKey)).text(), long(bytes))
  }
})

t.test('a text that came while another was being stored is not cut', async (t) => {
  const { job, id } = await planning({ key: 'a' })
  bucket.now.mood = 'gone'
  await job.report(id, 'a', { plan_text: long(20_000) })
  await failedOnce(id, 1)
  bucket.now.mood = 'well'
  const { AWS_ENDPOINT_URL_S3: endpoint, AWS_REGION: region } = variables
  const store = await createS3Store({ bucket: 'plans', prefix: 'teams/svc', endpoint, region })
  const newer = `newer ${long(20_000)}`
  const signal = new AbortController().signal
  const overtaken: typeof store = {
    ...store,
    put: async (...object) => {
      await store.put(...object)
      await query(world, `update results set plan_text = '${newer}' where run_id = '${id}' returning run_id`)
    },
  }
  await storePlans({ pool: world.pool, artifacts: overtaken, signal }, id)
  t.match(await rowOf(id, 'a'), { plan_text: newer, plan_url: undefined, truncated: undefined })
  await tryAgain(id)
  await world.settled()
  t.match(await rowOf(id, 'a'), { plan_url: /^s3:/, truncated: true })
  t.equal(await (await planOf(id, 'a')).text(), newer)
})

t.test('a late result replaces what was stored', async (t) => {
  const { job, id } = await planning({ key: 'a' })
  const stored = await job.report(id, 'a', { plan_text: long(20_000) })
  await world.settled()
  const results = [
    {
      run_id: id,
      stack_id: stored.body.stack_id,
      body: { mode: 'plan' as const, status: 'success' as const },
      plan_text: long(30_000),
      reported_at: new Date(),
    },
  ]
  const late = { runs: [], stacks: [], standings: [], journal: [], results, jobs: [] }
  const [{ installation_id: owner } = {}] = await query(world, 'select installation_id from repositories')
  await transact(ofInstallation(world.pool, owner), (tx) => storeTransitions(tx, late))
  t.match(await rowOf(id, 'a'), { plan_text: long(30_000), plan_url: undefined, truncated: undefined })
  await addJobs(world.pool, [makeJob('store_plans', { run_id: id }, { cause: null })])
  await world.settled()
  t.match(await rowOf(id, 'a'), { plan_url: /^s3:/, truncated: true })
  t.equal(await (await planOf(id, 'a')).text(), long(30_000))
})
