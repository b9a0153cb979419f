import { connect } from 'node:net'
import t from 'tap'
import { type Answer, jobClaims, playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'
import { dependsOn, disagreements, openPull, planning, query, secondInstance, send, stack } from '#test/scenes/scene.ts'

/*
 * Many jobs of many pull requests at once, over two instances with ten connections each: a request must never hold what
 * another needs in order to finish.
 */

const world = await startWorld(t)
const other = await secondInstance(t, world)
const keys = Array.from({ length: 12 }, (_, i) => `stack-${i}`)
const graph = { stacks: keys.map((key) => stack(key)), edges: keys.slice(1).map((key) => dependsOn(key, 'stack-0')) }

/** Statuses and how often each came; unexpected ones with their body. */
const counted = (answers: Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const name = status < 400 || status === 409 ? String(status) : JSON.stringify(body)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

t.test('hundreds of requests at once come through, and the tables agree', async (t) => {
  const pulls = await Promise.all(Array.from({ length: 6 }, () => openPull(world, {})))
  const jobs = pulls.map((pull, i) => {
    const identity = { workflowRunId: 100 + i }
    return [playJob(world, pull, identity), playJob(other, pull, identity)] as const
  })
  const each = <T>(times: number, work: (job: ReturnType<typeof playJob>, pull: number, turn: number) => Promise<T>) =>
    Promise.all(
      jobs.flatMap((pair, i) =>
        Array.from({ length: times }, (_, turn) => work(pair[turn % 2] as (typeof pair)[0], i, turn)),
      ),
    )

  const opened = await each(4, (job) => job.open())
  t.same(counted(opened), { 200: 18, 201: 6 })
  const ids = pulls.map((_, i) => opened[i * 4]?.body.run_id as string)
  t.equal(new Set(opened.map(({ body }) => body.run_id)).size, 6)

  const uploaded = await each(4, (job, i) => job.upload(ids[i] ?? '', { graph, stacks: keys }))
  t.same(counted(uploaded), { 200: 24 })
  const begun = `select count(*) from journal where kind = 'run' and event->>'type' = 'graph.resolved'`
  t.match(await query(world, begun), [{ count: 6 }], 'each graph was resolved once')

  const reported = await each(48, (job, i, turn) =>
    job.report(ids[i] ?? '', keys[turn % 12] ?? '', { duration_ms: turn % 24 < 12 ? 1 : 2 }),
  )
  t.same(counted(reported), { 200: 144, 409: 144 }, 'of two different results of each stack one is recorded')
  t.match(await query(world, 'select status, count(*) from runs group by status'), [{ status: 'planned', count: 6 }])
  t.same(await disagreements(world), [])

  await world.settled()
  t.match(await query(world, `select count(*) from jobs where state = 'dead' or last_error is not null`), [
    { count: 0 },
  ])
  for (const pull of pulls) {
    t.ok(pull.checkRuns().every(({ conclusion }) => conclusion === 'success'))
    t.equal(pull.comments().length, 1)
  }
  const idle = `select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`
  t.match(await query(world, idle), [{ count: 0 }])
})

t.test('one token at two instances at once is let in once', async (t) => {
  const { id, pull } = await planning(world, ['a'])
  const token = await world.github.mintToken(jobClaims(world, pull.number))
  const answers = await Promise.all([world, other, world, other].map((place) => send(place, token, `/v1/runs/${id}`)))
  t.same(answers.map(({ status }) => status).sort(), [200, 401, 401, 401])
})

t.test('requests that never end do not keep others from being served', async (t) => {
  const { job, id, pull } = await planning(world, ['a'])
  const { hostname, port } = new URL(world.service.url)
  const sockets = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const token = await world.github.mintToken(jobClaims(world, pull.number))
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      const head = `POST /v1/runs/${id}/graph HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: 8000000`
      await new Promise<void>((resolve) => socket.write(`${head}\r\n\r\n{"graph":`, () => resolve()))
      return socket
    }),
  )
  t.match(await job.report(id, 'a'), { status: 200 })
  const closed = Promise.all(sockets.map((socket) => new Promise((resolve) => socket.on('close', resolve))))
  for (const socket of sockets) socket.destroy()
  await closed
  t.equal((await playJob(world, pull).open()).status, 201, 'nor does their end')
})

t.test('while one pull request gets new heads, the jobs of all heads report', async (t) => {
  const pull = await openPull(world, {})
  const waves = []
  for (let head = 0; head < 4; head += 1) {
    const place = head % 2 ? world : other
    const job = playJob(place, pull)
    const { run_id: id } = (await job.open()).body
    const work = [job.upload(id, { graph, stacks: keys }), job.open(pull.headSha()), job.get(`/v1/runs/${id}`)]
    const later =
      (await job.upload(id, { graph, stacks: keys })).status === 200 ? keys.map((key) => job.report(id, key)) : []
    waves.push(...work, ...later)
    await pull.push({ [`notes/head-${head}.md`]: 'more\n' })
  }
  const last = await playJob(world, pull).open()
  const answers = await Promise.all(waves)
  t.same(
    Object.keys(counted(answers)).filter((name) => !['200', '201', '409'].includes(name)),
    [],
  )
  t.equal(last.status, 201)
  const runs = await query(world, `select status from runs where pr_number = ${pull.number} order by created_at desc`)
  t.same(
    runs.map(({ status }) => status),
    ['pending', 'superseded', 'superseded', 'superseded', 'superseded'],
  )
  t.same(await disagreements(world), [])
  await world.settled()
  t.equal(pull.comments().length, 1)
})
