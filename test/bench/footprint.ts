import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { sql } from '#db/sql.ts'
import type { Bench, Measurement } from './harness/measure.ts'
import { send } from './load/load.ts'
import { resultRequests } from './load/requests.ts'
import { openPlace, type Place } from './service/place.ts'
import { seededAnalysed } from './service/seeded.ts'

/*
 * What a planned stack leaves behind: bytes in the tables that are kept for good, with their indexes, and bytes of Postgres' log, from
 * the row of the run to its result. And how many transactions an idle service makes: nearly all are of one statement.
 */

const stacks = 3000
const idleSeconds = 20

let place: Place

const plan = async (): Promise<void> => {
  const run = await seededAnalysed(place.service, stacks)
  await send(place.service.address, 16, await resultRequests(run, place.issuer.mint))
  await place.idle()
}

const Figure = z.object({ figure: z.number() })

const kept = (): Promise<number> =>
  place.service.pool.oneFirst(sql.type(Figure)`
    select sum(pg_total_relation_size(oid))::float8 as figure from pg_class
    where relkind = 'r' and relname ~ '^(run_stacks|results|journal)'`)

const logged = (): Promise<number> =>
  place.service.pool.oneFirst(sql.type(Figure)`select (pg_current_wal_lsn() - '0/0')::float8 as figure`)

const transactions = (): Promise<number> =>
  place.service.pool.oneFirst(sql.type(Figure)`
    select (xact_commit + xact_rollback)::float8 as figure from pg_stat_database where datname = current_database()`)

const grown = async (figure: () => Promise<number>, work: () => Promise<unknown>): Promise<number> => {
  const before = await figure()
  await work()
  return (await figure()) - before
}

const of = (unit: string, service: () => Promise<number>): Measurement => ({
  ours: 'service',
  unit,
  setup: async () => {
    place = await openPlace('footprint')
  },
  contenders: { service },
  teardown: () => place.stop(),
})

const bench: Bench = {
  name: 'footprint',
  unit: 'bytes/stack',
  about:
    'What a planned stack leaves behind, from the row of its run to its result: in the tables that are kept for good, with their indexes, and in the log of Postgres. And the transactions of an idle service.',
  groups: {
    kept: of('bytes/stack', async () => (await grown(kept, plan)) / stacks),
    log: of('bytes/stack', async () => (await grown(logged, plan)) / stacks),
    idle: of('transactions/s', async () => (await grown(transactions, () => wait(idleSeconds * 1000))) / idleSeconds),
  },
}

export default bench
