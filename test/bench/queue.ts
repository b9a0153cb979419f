import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { analyse } from '#test/helpers/seed.ts'
import type { Bench, Measurement } from './harness/measure.ts'
import { benchDatabase } from './machine/database.ts'
import { othersPickUps, ownPickUps } from './queue/pick-ups.ts'
import type { Side } from './queue/side.ts'
import { sides } from './queue/sides.ts'

/*
 * Our queue against two others over Postgres, each tuned by its documentation, on one server, whose commits wait for the
 * disk for all of them. All three: at least once, retries with backoff, dead jobs kept, a killed worker's jobs taken over,
 * one after another in a lane. Handlers do nothing, 16 at a time. Microseconds a job.
 */

let opened: Record<string, Side>
let url: string
let stop: () => Promise<void>

const setup = async (): Promise<void> => {
  const database = await benchDatabase('queue')
  url = database.url
  const client = new Client(url)
  await client.connect()
  await client.query('create table bench_own (n integer not null)')
  await client.end()
  opened = {}
  for (const [name, open] of Object.entries(sides)) opened[name] = await open(url)
  stop = async () => {
    for (const side of Object.values(opened)) await side.stop()
    await database.stop()
  }
}

/** `run` returns the microseconds of one job. */
const measured = (run: (side: Side, name: string) => Promise<number>): Measurement => ({
  setup,
  ours: 'svc',
  contenders: Object.fromEntries(
    Object.keys(sides).map((name) => [
      name,
      async () => {
        const side = opened[name] as Side
        await side.empty()
        return run(side, name)
      },
    ]),
  ),
  teardown: () => stop(),
})

/** Microseconds since `start`. */
const since = (start: bigint): number => Number(process.hrtime.bigint() - start) / 1000

const timed = async (jobs: number, work: () => Promise<unknown>): Promise<number> => {
  const start = process.hrtime.bigint()
  await work()
  return since(start) / jobs
}

/** From the beginning of the first handler until the last job is stored as done; the worker's start does not count. */
const drain = async (side: Side, jobs: number, lanes?: number): Promise<number> => {
  await side.enqueueMany(jobs, lanes)
  // plans made for an empty table are no use for a full one; within a minute the server does this by itself
  await analyse(url)
  let begun = 0
  let start = 0n
  const all = Promise.withResolvers<void>()
  const worker = await side.work(() => {
    if (begun++ === 0) start = process.hrtime.bigint()
    if (begun === jobs) all.resolve()
  }, lanes !== undefined)
  await all.promise
  while ((await side.left()) > 0) await wait(1)
  const cost = since(start) / jobs
  await worker.stop()
  return cost
}

const median = (costs: number[]): number => costs[Math.floor(costs.length / 2)] as number
const most = (costs: number[]): number => costs[Math.floor(costs.length * 0.99)] as number

const bench: Bench = {
  name: 'queue',
  unit: 'µs/job',
  about:
    'The queue, against two others over Postgres, each tuned by its documentation; handlers do nothing, 16 at a time.',
  groups: {
    'enqueue, 1 client': measured((side) => timed(500, () => side.enqueue(500, 1))),
    'enqueue, 32 clients': measured((side) => timed(2000, () => side.enqueue(2000, 32))),
    'enqueue, 32 clients, waking another process': measured((side) => timed(2000, () => side.enqueue(2000, 32, true))),
    'enqueue within a transaction': measured((side) => timed(500, () => side.enqueueWithin(500))),
    'enqueue 100 a statement': measured((side) => timed(10_000, () => side.enqueueMany(10_000))),
    drain: measured((side) => drain(side, 20_000)),
    'drain of 16 lanes': measured((side) => drain(side, 800, 16)),
    'pick-up when idle, median': measured(async (side) => median(await ownPickUps(side, 100))),
    'pick-up when idle, 99 %': measured(async (side) => most(await ownPickUps(side, 200))),
    'pick-up after its commit was heard of, median': measured(async (side) =>
      median(await ownPickUps(side, 100, 'committed')),
    ),
    'pick-up from another process, median': measured(async (side, name) =>
      median(await othersPickUps(side, name, url, 100)),
    ),
  },
}

export default bench
