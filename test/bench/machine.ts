import { systemClock } from '#clock.ts'
import { createPool } from '#db/pool.ts'
import type { Pool } from '#db/sql.ts'
import { createLog } from '#log.ts'
import { createRuntime, type Runtime } from '#runtime/runtime.ts'
import { analyse, type SeededRun, seedRepository, seedRun } from '#test/helpers/seed.ts'
import { openResultsFloor, type ResultsFloor } from './floor/results.ts'
import { type Bench, type Measurement, untilWarm } from './harness/measure.ts'
import { benchDatabase } from './machine/database.ts'
import { planText, resultBody } from './machine/result.ts'

/*
 * One event is a job's result: it settles a stack row and tells the run. Ours goes through mailbox, XState, journal and
 * queue; the floor is a mailbox too, and writes the same rows by hand.
 */

const clients = 32

type World = { url: string; pool: Pool; runtime: Runtime; floor: ResultsFloor; stop(): Promise<void> }
let world: World

const open = async (): Promise<void> => {
  const database = await benchDatabase('machine')
  const pool = await createPool(database.url, { log: createLog({ level: 'error', format: 'text' }) })
  await seedRepository(pool)
  const floor = await openResultsFloor(database.url)
  world = {
    url: database.url,
    pool,
    floor,
    runtime: createRuntime({ pool, clock: systemClock }),
    stop: async () => {
      await floor.end()
      await pool.end()
      await database.stop()
    },
  }
}

type Target = { runId: string; key: string }
type Send = (target: Target) => Promise<unknown>

const throughRuntime: Send = async ({ runId, key }) => {
  const answer = await world.runtime.send({
    to: { kind: 'stack', runId, key },
    event: { type: 'result.reported', outcome: 'changes', digest: `digest of ${key}` },
    actor: 'bench',
    // as who sends them knows it, and the floor does
    installationId: 1,
    document: () => ({ body: resultBody, plan_text: planText }),
  })
  if (answer.outcome !== 'moved') throw answer.problem ?? new Error(`the result was ${answer.outcome}`)
}

const byHand: Send = (target) => world.floor.report(target)

/** Microseconds an event, `count` clients sending one after another until every target has its result. */
const timed = async (count: number, targets: Target[], send: Send): Promise<number> => {
  let next = 0
  const start = process.hrtime.bigint()
  await Promise.all(
    Array.from({ length: count }, async () => {
      for (let target = targets[next++]; target; target = targets[next++]) await send(target)
    }),
  )
  return Number(process.hrtime.bigint() - start) / 1000 / targets.length
}

const targetsOf = (runs: SeededRun[]): Target[] => {
  const longest = Math.max(...runs.map((run) => run.keys.length))
  return Array.from({ length: longest }, (_, index) =>
    runs.flatMap(({ runId, keys }) => (keys[index] ? [{ runId, key: keys[index] }] : [])),
  ).flat()
}

const keysOf = (stacks: number): string[] =>
  Array.from({ length: stacks }, (_, index) => `stacks/team-${index % 40}/service-${index}`)

const seeded = async (runs: number, stacks: number): Promise<Target[]> => {
  const made: SeededRun[] = []
  const atOnce = 8
  for (let done = 0; done < runs; done += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, runs - done) }, () =>
      seedRun(world.pool, world.runtime, { waves: [keysOf(stacks)] }),
    )
    made.push(...(await Promise.all(some)))
  }
  await analyse(world.url)
  return targetsOf(made)
}

const between = { setup: open, teardown: () => world.stop() }

const oneRun: Measurement = {
  ...between,
  warmUps: untilWarm(8000, 40_000),
  ours: 'runtime',
  contenders: {
    runtime: async () => timed(clients, await seeded(1, 8000), throughRuntime),
    'plain pg, batched': async () => timed(clients, await seeded(1, 8000), byHand),
  },
}

const manyRuns: Measurement = {
  ...between,
  warmUps: untilWarm(8000, 40_000),
  ours: 'runtime',
  contenders: {
    runtime: async () => timed(clients, await seeded(1000, 8), throughRuntime),
    'plain pg, batched': async () => timed(clients, await seeded(1000, 8), byHand),
  },
}

/** The same 1,000 results one after another: the cost of one must not grow with the run. */
const size: Measurement = {
  ...between,
  ours: 'a run of 5,000',
  contenders: {
    'a run of 5,000': async () => timed(1, (await seeded(1, 5000)).slice(0, 1000), throughRuntime),
    'runs of 10': async () => timed(1, await seeded(100, 10), throughRuntime),
  },
}

const bench: Bench = {
  name: 'machine',
  unit: 'µs/event',
  about:
    'Results of 32 clients through mailbox, XState, journal and queue, without HTTP; against a mailbox in plain pg that writes the same rows; both after 40,000 results. `size`: what a result costs in a large run, against small ones.',
  groups: { 'one run': oneRun, '1,000 runs': manyRuns, size },
}

export default bench
