import { randomUUID } from 'node:crypto'
import t from 'tap'
import { metricsOfTheInterface } from '#test/documents/metrics-of-the-interface.ts'
import { deliver } from '#test/helpers/deliver.ts'
import { type Family, readExposition } from '#test/helpers/exposition.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { comment, newestRun, planned, policy } from '#test/scenes/commenting.ts'
import { dispatched, dispatchedJob, runFile, withWorkflow } from '#test/scenes/dispatched.ts'
import { query } from '#test/scenes/scene.ts'

/* A story in which everything that is counted happens, and what is exposed after it. */

let isDenied = false

/** The code host, which may refuse to show pull requests. */
const moody: typeof fetch = (input, init) =>
  isDenied && /\/pulls\/\d+$/.test(new Request(input, init).url)
    ? Promise.resolve(Response.json({ message: 'Forbidden' }, { status: 403 }))
    : fetch(input, init)

const world = await startWorld(t, { files: withWorkflow, replaced: { scheduled: true, fetch: moody } })
const { service, repository } = world

const scrape = async (): Promise<Map<string, Family>> =>
  readExposition(await (await fetch(`${service.url}/metrics`)).text())

const counted = async (name: string, labels: Record<string, string> = {}): Promise<number | undefined> => {
  const samples = (await scrape()).get(`svc_${name}`)?.samples ?? []
  return samples.find((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))?.value
}

t.test('everything that happens in a story is counted', async (t) => {
  for (const login of ['ada', 'rob']) repository.setPermission(login, 'write')
  await policy(world, {})
  const { pull } = await planned(world, ['app'])
  await comment(world, pull, 'svc help')
  await comment(world, pull, 'svc apply', 'stranger')
  t.equal(await counted('commands_total', { verb: 'help', accepted: 'true' }), 1)
  t.equal(await counted('commands_total', { verb: 'apply', accepted: 'false' }), 1)

  await comment(world, pull, 'svc apply')
  const runId = await newestRun(world, pull, 'apply')
  const played = (await dispatched(world, runId)).play()
  t.equal(await counted('dispatches_total', { mode: 'apply', result: 'ok' }), 1)
  await dispatchedJob(world, played, 'default').report(runId, 'app')
  played.complete('success')
  await world.settled()
  t.equal(await counted('runs_total', { mode: 'apply', status: 'applied', trigger: 'comment' }), 1)
  t.equal(await counted('stack_finished_total', { mode: 'apply', status: 'applied' }), 1)

  await repository.push({ changes: { [runFile]: null } })
  await comment(world, pull, 'svc plan')
  t.equal(await counted('dispatches_total', { mode: 'plan', result: 'error' }), 1)

  const id = randomUUID()
  for (let times = 0; times < 2; times++) await deliver(world, 'ping', { zen: 'x' }, id)
  t.equal(await counted('webhook_duplicates_total'), 1)

  isDenied = true
  await pull.push({ 'notes/more.md': 'more' })
  const failing = `from jobs where queue = 'events' and kind = 'pull_request' and state = 'queued' and attempt > 0`
  await until(async () => (await query(world, `select 1 ${failing}`)).length > 0)
  await query(world, `update jobs set attempt = 4, run_at = now() where id in (select id ${failing})`)
  await until(async () => (await counted('events_dead_total', { kind: 'pull_request' })) === 1)
  await fetch(`${service.url}/v1/nowhere`)
  await until(async () => (await counted('scheduler_leader')) === 1)
})

t.test('the exposed metrics are the ones of the interface, and nothing else of ours', async (t) => {
  const exposed = await scrape()
  const ours = [...exposed.keys()].filter((name) => name.startsWith('svc_'))
  t.same(
    ours.sort(),
    Object.keys(metricsOfTheInterface)
      .map((name) => `svc_${name}`)
      .sort(),
  )
  for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds']) {
    t.ok(exposed.has(name), `${name}, of the process`)
  }
})

t.test('each metric has its type, its labels and no values but the ones of the interface', async (t) => {
  const exposed = await scrape()
  for (const [name, { type, labels = {}, buckets, needsReplica }] of Object.entries(metricsOfTheInterface)) {
    const family = exposed.get(`svc_${name}`)
    t.equal(family?.type, type, name)
    const samples = family?.samples ?? []
    if (needsReplica) t.equal(samples.length, 0, `${name} has no value without a replica`)
    else t.not(samples.length, 0, `${name} was counted`)
    for (const {
      labels: { le, ...found },
    } of samples) {
      t.same(Object.keys(found).sort(), Object.keys(labels).sort(), `labels of ${name}`)
      for (const [label, value] of Object.entries(found)) {
        const known = labels[label]
        const isKnown = known instanceof RegExp ? known.test(value) : known?.includes(value)
        if (!isKnown) t.fail(`${name}{${label}="${value}"}`)
      }
    }
    if (buckets) t.same(boundsOf(samples), buckets, `bounds of ${name}`)
  }
})

const boundsOf = (samples: Family['samples']): [number, number] => {
  const bounds = samples.flatMap(({ labels: { le } }) => (le === undefined || le === '+Inf' ? [] : [Number(le)]))
  return [Math.min(...bounds), Math.max(...bounds)]
}
