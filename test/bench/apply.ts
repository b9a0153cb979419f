import { Client } from 'pg'
import { systemClock } from '#clock.ts'
import { createPool } from '#db/pool.ts'
import type { Pool } from '#db/sql.ts'
import { createLog } from '#log.ts'
import { createRuntime, type Runtime } from '#runtime/runtime.ts'
import { analyse, dependsOn, type SeededRun, seedRepository, seedRun } from '#test/helpers/seed.ts'
import type { Bench, Measurement } from './harness/measure.ts'
import { benchDatabase } from './machine/database.ts'
import { planText, resultBody } from './machine/result.ts'

/*
 * Results of applies: each settles a stack row and tells the run and the stack's lock. The cost of one must not grow with
 * the run; and a failure blocks all its dependents, near and far, in the one transaction that records it.
 */

type World = { url: string; pool: Pool; runtime: Runtime; sql: Client; stop(): Promise<void> }
let world: World
let pulls = 0

const open = async (): Promise<void> => {
  const database = await benchDatabase('apply')
  const pool = await createPool(database.url, { log: createLog({ level: 'error', format: 'text' }) })
  await seedRepository(pool)
  const sql = new Client(database.url)
  await sql.connect()
  world = {
    url: database.url,
    pool,
    sql,
    runtime: createRuntime({ pool, clock: systemClock }),
    stop: async () => {
      await sql.end()
      await pool.end()
      await database.stop()
    },
  }
}

/** Each run has its own stacks: two applies may not hold one lock. */
const keysOf = (run: number, stacks: number): string[] =>
  Array.from({ length: stacks }, (_, index) => `run-${run}/team-${index % 40}/service-${index}`)

const seeded = async (runs: number, stacks: number): Promise<SeededRun[]> => {
  const made: SeededRun[] = []
  for (let run = 0; run < runs; run += 1) {
    const prNumber = ++pulls
    made.push(await seedRun(world.pool, world.runtime, { mode: 'apply', prNumber, waves: [keysOf(prNumber, stacks)] }))
  }
  await analyse(world.url)
  return made
}

const report = async (runId: string, key: string, outcome: 'changes' | 'failed'): Promise<void> => {
  const answer = await world.runtime.send({
    to: { kind: 'stack', runId, key },
    event: { type: 'result.reported', outcome, digest: `digest of ${key}` },
    actor: 'bench',
    document: () => ({ body: resultBody, plan_text: planText }),
  })
  if (answer.outcome !== 'moved') throw answer.problem ?? new Error(`the result was ${answer.outcome}`)
}

/** Microseconds an item. */
const timed = async (items: number, work: () => Promise<void>): Promise<number> => {
  const start = process.hrtime.bigint()
  await work()
  return Number(process.hrtime.bigint() - start) / 1000 / items
}

const between = { setup: open, teardown: () => world.stop() }

/** 1,000 results one after another, of applies that stay open. */
const oneByOne = async (runs: SeededRun[]): Promise<number> => {
  const targets = runs.flatMap(({ runId, keys }) => keys.map((key) => ({ runId, key }))).slice(0, 1000)
  return timed(targets.length, async () => {
    for (const { runId, key } of targets) await report(runId, key, 'changes')
  })
}

const size: Measurement = {
  ...between,
  ours: 'an apply of 5,000',
  contenders: {
    'an apply of 5,000': async () => oneByOne(await seeded(1, 5000)),
    'applies of 10': async () => oneByOne(await seeded(100, 10)),
  },
}

const dependents = 5000

/** One stack that fails, in its own wave, and 5,000 that depend on it in a chain of tens. */
const seedDependents = async (): Promise<SeededRun> => {
  const prNumber = ++pulls
  const [root = '', ...rest] = keysOf(prNumber, dependents + 1)
  const edges = rest.map((key, index) => dependsOn(key, index % 10 === 0 ? root : (rest[index - 1] as string)))
  const waves = Array.from({ length: 10 }, (_, wave) => rest.filter((_, index) => index % 10 === wave))
  const run = await seedRun(world.pool, world.runtime, { mode: 'apply', prNumber, waves: [[root], ...waves], edges })
  await analyse(world.url)
  return run
}

/** The least that any program must do: each row's state and one row of history for it, written by Postgres itself. */
const byHand = async ({ runId }: SeededRun): Promise<void> => {
  await world.sql.query('begin')
  await world.sql.query('select from runs where installation_id = 1 and id = $1 for no key update', [runId])
  await world.sql.query(
    `with blocked as (
       update run_stacks set status = 'blocked', seq = seq + 1, finished_at = now() where installation_id = 1 and run_id = $1 and wave > 0 returning *)
     insert into journal (installation_id, kind, run_id, subject_id, seq, event, actor, state_from, state_to, actions, at)
     select 1, 'stack', run_id, stack_id, seq, '{"type":"stack.blocked"}', 'floor', 'pending', 'blocked', '[]', now()
     from blocked`,
    [runId],
  )
  await world.sql.query('commit')
}

const blocking: Measurement = {
  ...between,
  ours: 'one failed result',
  contenders: {
    'one failed result': async () => {
      const { runId, keys } = await seedDependents()
      return timed(dependents, () => report(runId, keys[0] ?? '', 'failed'))
    },
    'one statement of Postgres': async () => {
      const run = await seedDependents()
      return timed(dependents, () => byHand(run))
    },
  },
}

const bench: Bench = {
  name: 'apply',
  unit: 'µs/stack',
  about:
    'Results of applies, which tell the run and the lock of their stack: what one costs in a large apply, against small ones; and a failure that blocks 5,000 dependents, against one statement that updates as many rows and writes as many of their history.',
  groups: { size, 'blocking 5,000 dependents': blocking },
}

export default bench
