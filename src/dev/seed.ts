import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { historyTableNames } from '#db/history/history-tables.ts'
import { makePartition } from '#db/history/partitions.ts'
import { createPool } from '#db/pool.ts'
import { monthAfter } from '#domain/month.ts'
import { createLog } from '#log.ts'
import type { Sizes } from './seed/sizes.ts'
import { firstMonth, months, statements } from './seed/statements.ts'

/*
 * node src/dev/seed.ts [--runs N] [--stacks N] [--journal N] [--audit N] [--repositories N]
 *
 * Fills the migrated database that DATABASE_URL names with a history of the given size; without flags a million runs, 50,000
 * stacks and five million transitions, in some minutes. For lists and their measurements: no machine could go on from its
 * snapshots.
 */

const fullSizes: Sizes = {
  runs: 1_000_000,
  stacks: 50_000,
  journal: 5_000_000,
  audit: 1_000_000,
  repositories: 200,
}

/** The service has made them when they were still to come. */
const makePartitions = async (url: string): Promise<void> => {
  const pool = await createPool(url, { log: createLog({ level: 'error', format: 'text' }) })
  try {
    for (let month = 0; month < months; month += 1)
      for (const table of historyTableNames) await makePartition(pool, table, monthAfter(firstMonth, month))
  } finally {
    await pool.end()
  }
}

/** Fills an empty, migrated database. The role must be a superuser: foreign keys are not checked row by row. */
export const seed = async (url: string, sizes: Sizes, progress: (text: string) => void = () => {}): Promise<void> => {
  await makePartitions(url)
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '256MB'`,
    )
    for (const [what, text] of Object.entries(statements(sizes))) {
      const began = performance.now()
      await client.query(text)
      progress(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
    }
    // index-only scans also need the visibility map that this writes
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

const sizeOf = (name: string, text: string | undefined, otherwise: number): number => {
  const size = text === undefined ? otherwise : Number(text)
  if (!Number.isInteger(size) || size < 1) throw new Error(`--${name}: '${text}' must be a positive integer`)
  return size
}

const main = async (): Promise<void> => {
  const url = process.env.DATABASE_URL
  if (!url) throw new Error('DATABASE_URL must name the migrated database to fill')
  const option = { type: 'string' } as const
  const { values } = parseArgs({
    options: { runs: option, stacks: option, journal: option, audit: option, repositories: option },
  })
  const sizes = Object.fromEntries(
    Object.entries(fullSizes).map(([name, size]) => [name, sizeOf(name, values[name as keyof Sizes], size)]),
  ) as Sizes
  await seed(url, sizes, console.log)
}

if (import.meta.main) {
  try {
    await main()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
