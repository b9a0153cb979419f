import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { Client } from 'pg'
import type { Test } from 'tap'
import { migrate, readMigrations } from '#db/migrate.ts'
import { isExternal, isNoteOfLiving, self, testServer } from './database-server.ts'

/*
 * Databases for tests. The migrations run once into a template, named by their hash, and each test gets a clone of it (125 ms,
 * against 75 ms and growing for the migrations themselves). Clones are dropped when the test ends; the clone of a failed test is
 * kept under its file's name.
 */

/** Any number. Held shared, it keeps the template; held alone, it allows one to be made and old ones to be dropped. */
const templateLock = 7_303_015

let count = 0

/** A freshly migrated database for this test alone, dropped when the test has ended (kept and named if it failed). */
export const testDatabase = async (t: Test): Promise<{ url: string }> => {
  const server = await testServer()
  const name = `test-${self}-${++count}`
  await administer(server, (admin) => cloneTemplate(server, admin, name))
  t.teardown(() =>
    administer(server, async (admin) => {
      if (t.passing()) return drop(admin, name)
      const kept = await keep(admin, name)
      t.comment(`the database of this test is kept: ${kept}, on ${new URL(server).host}`)
    }),
  )
  return { url: addressOf(server, name) }
}

const addressOf = (server: string, database: string): string => {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

const administer = async <T>(server: string, work: (admin: Client) => Promise<T>): Promise<T> => {
  const admin = new Client(server)
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

const cloneTemplate = async (server: string, admin: Client, name: string): Promise<void> => {
  const template = await templateName()
  for (;;) {
    await admin.query('select pg_advisory_lock_shared($1)', [templateLock])
    try {
      if (await exists(admin, template)) {
        await admin.query(`create database "${name}" template "${template}"`)
        return
      }
    } finally {
      await admin.query('select pg_advisory_unlock_shared($1)', [templateLock])
    }
    await makeTemplate(server, admin, template)
  }
}

const templateName = async (): Promise<string> => {
  const hash = createHash('sha256')
  for (const migration of await readMigrations()) hash.update(JSON.stringify(migration))
  return `template-${hash.digest('hex').slice(0, 12)}`
}

/** Made under another name and renamed when whole: a process killed meanwhile leaves no half-migrated template. */
const makeTemplate = async (server: string, admin: Client, template: string): Promise<void> => {
  await admin.query('select pg_advisory_lock($1)', [templateLock])
  try {
    if (await exists(admin, template)) return
    await dropLeftovers(admin)
    const half = `half-${template}`
    await drop(admin, half)
    await admin.query(`create database "${half}"`)
    await migrate(addressOf(server, half))
    await disconnectAll(admin, half)
    await admin.query(`alter database "${half}" rename to "${template}"`)
  } finally {
    await admin.query('select pg_advisory_unlock($1)', [templateLock])
  }
}

const exists = async (admin: Client, name: string): Promise<boolean> =>
  (await admin.query('select from pg_database where datname = $1', [name])).rowCount === 1

const drop = async (admin: Client, name: string): Promise<void> => {
  await admin.query(`drop database if exists "${name}" with (force)`)
}

/**
 * Drops templates of other migrations and clones of killed processes. On a server named by TEST_DATABASE_URL it drops only what
 * this process made: process numbers of other machines mean nothing here.
 */
const dropLeftovers = async (admin: Client): Promise<void> => {
  if (isExternal()) return
  const { rows } = await admin.query<{ datname: string }>(
    `select datname from pg_database where datname ~ '^(template|test)-'`,
  )
  for (const { datname } of rows) {
    const owner = /^test-(\d+-\d+)-\d+$/.exec(datname)?.[1]
    if (owner === undefined || !isNoteOfLiving(owner)) await drop(admin, datname)
  }
}

const disconnectAll = async (admin: Client, name: string): Promise<void> => {
  await admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name])
}

/** One per file: the failure before the last is of no use any more. */
const keep = async (admin: Client, name: string): Promise<string> => {
  const kept = `failed-${basename(process.argv[1] ?? 'test').replace(/\.test\.ts$/, '')}`
  await drop(admin, kept)
  await disconnectAll(admin, name)
  await admin.query(`alter database "${name}" rename to "${kept}"`)
  return kept
}
