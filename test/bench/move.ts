import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { exportInstallation } from '#cli/installation/export.ts'
import { importInstallation } from '#cli/installation/import.ts'
import { isMoved, movedTableNames } from '#db/moving/moved-tables.ts'
import { installationsNamed } from '#db/moving/moving-installation.ts'
import { createPool } from '#db/pool.ts'
import { type Pool, sql } from '#db/sql.ts'
import { seed } from '#dev/seed.ts'
import { createLog } from '#log.ts'
import type { Bench } from './harness/measure.ts'
import { benchDatabase } from './machine/database.ts'

/*
 * An installation that moves from one service to another. SVC_BENCH_RUNS is how many runs it has, each with a row of a stack, its result
 * and five transitions.
 */

const runs = Number(process.env.SVC_BENCH_RUNS ?? 100_000)
if (!Number.isInteger(runs) || runs < 1) throw new Error('SVC_BENCH_RUNS must be a positive integer')

// ten repositories are one installation's
const sizes = { runs, stacks: 5000, journal: runs * 5, audit: runs, repositories: 10 }

const Nothing = z.object({})
const log = createLog({ level: 'error', format: 'text' })
const settings = { statement_timeout: '0', idle_in_transaction_session_timeout: '0' }

type Side = { pool: Pool; stop(): Promise<void> }

const side = async (name: string, fill?: (url: string) => Promise<void>): Promise<Side> => {
  const { url, stop } = await benchDatabase(name)
  await fill?.(url)
  const pool = await createPool(url, { log, settings })
  return {
    pool,
    stop: async () => {
      await pool.end()
      await stop()
    },
  }
}

let from: Side
let folder: string
let file = ''

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

const progress = (): void => {}

const exporting = async (): Promise<void> => {
  if (file !== '') await rm(file)
  const [installation] = await installationsNamed(from.pool, 'org-1')
  if (!installation) throw new Error('nothing was seeded')
  file = join(folder, 'moved.svc')
  await exportInstallation({ pool: from.pool, installation, file, progress, settle: async () => {} })
}

/** The same rows as JSON, which go nowhere. */
const onlyReading = async (): Promise<void> => {
  for (const table of movedTableNames)
    await from.pool.query(sql.type(Nothing)`
      select sum(length(to_jsonb(t)::text)) from ${sql.identifier([table])} t where ${isMoved(table, 1)}`)
}

const importing = async (): Promise<number> => {
  // on the same server, which goes on
  const to = await side('moved_to')
  try {
    return await timed(() => importInstallation({ pool: to.pool, file, progress }))
  } finally {
    await to.pool.end()
  }
}

/** The same rows into tables with the same indexes in the same database. */
const onlyWriting = async (): Promise<number> => {
  await from.pool.query(sql.type(Nothing)`drop schema if exists copied cascade`)
  await from.pool.query(sql.type(Nothing)`create schema copied`)
  for (const table of movedTableNames)
    await from.pool.query(sql.type(Nothing)`
      create table ${sql.identifier(['copied', table])} (like ${sql.identifier([table])} including indexes)`)
  return timed(() =>
    from.pool.transaction(async (tx) => {
      for (const table of movedTableNames)
        await tx.query(sql.type(Nothing)`
          insert into ${sql.identifier(['copied', table])} select * from ${sql.identifier([table])} t where ${isMoved(table, 1)}`)
    }),
  )
}

const setup = async (): Promise<void> => {
  folder = await mkdtemp(join(tmpdir(), 'svc-move-'))
  from = await side('moved_from', (url) => seed(url, sizes, (text) => console.error(text)))
  await exporting()
  console.error(`the file has ${((await stat(file)).size / 2 ** 20).toFixed(1)} MB`)
}

const teardown = async (): Promise<void> => {
  await from.stop()
  await rm(folder, { recursive: true })
  file = ''
}

const bench: Bench = {
  name: 'move',
  unit: 's',
  about: `An installation of ${runs.toLocaleString('en')} runs that moves from one service to another: into a file, against one statement a table that reads the same rows as JSON; and out of it, against one statement a table that copies the same rows.`,
  groups: {
    export: {
      ours: 'installation export',
      setup,
      contenders: { 'installation export': () => timed(exporting), 'only reading': () => timed(onlyReading) },
      teardown,
    },
    import: {
      ours: 'installation import',
      setup,
      contenders: { 'installation import': importing, 'only writing': onlyWriting },
      teardown,
    },
  },
}

export default bench
