import { randomUUID } from 'node:crypto'
import t from 'tap'
import { type Answer, playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'
import { hostGate, openPull, planning, query, secondInstance } from '#test/scenes/scene.ts'

const gate = hostGate()
const world = await startWorld(t, { replaced: { fetch: gate.fetch } })
const behind = { now: () => new Date(Date.now() - 30_000) }
/** Its clock is half a minute behind. */
const other = await secondInstance(t, world, { fetch: gate.fetch, clock: behind })
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort()
const pullPath = (number: number) => `/api/v3/repos/acme/infra/pulls/${number}`

t.test('jobs that open one head at once, on two instances, share one run', async (t) => {
  const pull = await openPull(world, {})
  const jobs = Array.from({ length: 12 }, (_, i) => playJob(i % 2 ? world : other, pull))
  const answers = await Promise.all(jobs.map((job) => job.open()))
  t.same(statuses(answers), [...Array.from({ length: 11 }, () => 200), 201])
  t.equal(new Set(answers.map(({ body }) => body.run_id)).size, 1)
  t.match(await query(world, `select count(*) from runs where pr_number = ${pull.number}`), [{ count: 1 }])
})

t.test('of jobs of two heads at once the older head ends superseded, whichever is first', async (t) => {
  for (let round = 0; round < 2; round += 1) {
    const pull = await openPull(world, {})
    const old = pull.headSha()
    const early = playJob(world, pull).open(old)
    const head = await pull.push({ 'notes/more.md': `${round}\n` })
    const [first, second] = await Promise.all([early, playJob(other, pull).open(head)])
    t.equal(second.status, 201)
    if (first.status !== 201) t.match(first, { status: 409, body: { code: 'superseded' } })
    const runs = await query(
      world,
      `select sha, status from runs where pr_number = ${pull.number} and sha <> '${head}'`,
    )
    t.ok(runs.every(({ status }) => status === 'superseded'))
  }
})

t.test('a head that is pushed over while it is being read gets no run', async (t) => {
  const pull = await openPull(world, {})
  const old = pull.headSha()
  await world.settled()
  const held = gate.hold(pullPath(pull.number))
  const late = playJob(world, pull).open(old)
  await held.arrived
  await pull.push({ 'notes/more.md': 'more\n' })
  t.equal((await playJob(other, pull).open()).status, 201)
  held.release()
  t.match(await late, { status: 409, body: { code: 'superseded', message: /not the head/ } })
  t.match(await query(world, `select count(*) from runs where pr_number = ${pull.number}`), [{ count: 1 }])
})

t.test('a read that an older answer overtook is repeated', async (t) => {
  const pull = await openPull(world, {})
  const old = pull.headSha()
  const head = await pull.push({ 'notes/more.md': 'more\n' })
  await world.settled()
  const held = gate.hold(pullPath(pull.number))
  const opening = playJob(world, pull).open(head)
  await held.arrived
  // the answer of a lagging replica of the code host to a job of the old head, asked later
  gate.change((path, body) => (path === pullPath(pull.number) ? { ...body, head: { ...body.head, sha: old } } : body))
  const stale = await playJob(world, pull).open(old)
  gate.change(undefined)
  t.equal(stale.status, 201)
  held.release()
  t.match(await opening, { status: 201, body: { run: { sha: head } } })
  t.match(await query(world, `select status from runs where id = '${stale.body.run_id}'`), [{ status: 'superseded' }])
})

t.test('a pull request that is closed while it is being read gets no run', async (t) => {
  const pull = await openPull(world, {})
  await world.settled()
  const held = gate.hold(pullPath(pull.number))
  const opening = playJob(world, pull).open()
  await held.arrived
  await pull.close()
  await world.settled()
  held.release()
  t.match(await opening, { status: 409, body: { code: 'conflict', message: /closed/ } })
  t.match(await query(world, `select state from pull_requests where number = ${pull.number}`), [{ state: 'closed' }])
  await pull.reopen()
  t.equal((await playJob(world, pull).open()).status, 201, 'and it gets one when it is open again')
})

t.test('a new run supersedes every plan run of older heads, the finished ones too', async (t) => {
  const { pull, job, id } = await planning(world, ['a'])
  await job.report(id, 'a')
  const again = playJob(world, pull)
  const second = (await again.open()).body.run_id
  t.not(second, id, 'the jobs of another workflow run make a new run')
  const old = pull.headSha()
  await pull.push({ 'notes/more.md': 'more\n' })
  const third = (await playJob(other, pull).open()).body.run_id
  const runs = await query(world, `select id, status from runs where pr_number = ${pull.number}`)
  t.same(
    new Map(runs.map(({ id, status }) => [id, status])),
    new Map([
      [id, 'superseded'],
      [second, 'superseded'],
      [third, 'pending'],
    ]),
  )
  t.match(await job.report(id, 'a'), { status: 409, body: { code: 'superseded' } }, 'even a repeat')
  await world.settled()
  t.ok(pull.checkRuns(old).every(({ status, conclusion }) => status === 'completed' && conclusion !== null))
  t.match(pull.comments().at(0)?.body, pull.headSha().slice(0, 7), 'the comment is of the new head')
})

t.test('a head that comes back after another gets a new run, not the superseded one', async (t) => {
  const pull = await openPull(world, {})
  const first = playJob(world, pull)
  const old = pull.headSha()
  const { run_id: superseded } = (await first.open()).body
  await pull.push({ 'notes/more.md': 'more\n' })
  await playJob(world, pull).open()
  gate.change((path, body) => (path === pullPath(pull.number) ? { ...body, head: { ...body.head, sha: old } } : body))
  t.match(await first.open(old), { status: 409, body: { code: 'superseded' } }, 'the job of the first time')
  const back = await playJob(world, pull).open(old)
  gate.change(undefined)
  t.equal(back.status, 201)
  t.not(back.body.run_id, superseded)
})

t.test('run_id must name a run of this pull request and its head', async (t) => {
  const { pull, id } = await planning(world, ['a'])
  const elsewhere = await planning(world, ['a'])
  const job = playJob(world, pull)
  const named = (run_id: string) =>
    job.post('/v1/runs', { repo: 'acme/infra', sha: pull.headSha(), pr_number: pull.number, run_id })
  t.match(await named(id), { status: 200, body: { run_id: id, existing: true } })
  t.match(await named(id.toUpperCase()), { status: 200, body: { run_id: id } }, 'in any letter case')
  for (const foreign of [elsewhere.id, randomUUID()])
    t.match(await named(foreign), { status: 403, body: { code: 'forbidden' } })
  await pull.push({ 'notes/more.md': 'more\n' })
  t.match(await named(id), { status: 409, body: { code: 'superseded' } }, 'a run of an older head')
})

t.test('a job that is the first to tell of another base opens a run of it only if it compared with that', async (t) => {
  for (const [compared, status] of [
    ['the former', 'superseded'],
    ['the new', 'pending'],
  ] as const) {
    const pull = await openPull(world, {})
    await world.settled()
    const known = `update pull_requests set base_ref = 'release' where number = ${pull.number} returning base_sha`
    const [row] = await query(world, known)
    const base_sha = compared === 'the new' ? row?.base_sha : 'f'.repeat(40)
    const { status: answered, body } = await playJob(world, pull).open(pull.headSha(), { base_sha })
    t.match({ answered, run: body.run.status }, { answered: 201, run: status }, `compared with ${compared} base`)
    const warnings = status === 'superseded' ? [{ code: 'superseding', message: /comparing it with release/ }] : []
    const [run] = await query(world, `select warnings from runs where id = '${body.run_id}'`)
    t.match(run, { warnings })
    t.equal(run?.warnings.length, warnings.length)
  }
})
