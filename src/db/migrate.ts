import { readdir, readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { advisoryLocks } from './advisory-locks.ts'
import { refuseSharedSessions } from './pooler.ts'
import { sessionSettings } from './session-settings.ts'

const folder = new URL('../../migrations/', import.meta.url)

/** The files of migrations/ by name, in the bundled service (src/dev/build.ts puts them in); elsewhere they are read. */
declare const bundledMigrations: Readonly<Record<string, string>> | undefined

const readFolder = async (): Promise<Readonly<Record<string, string>>> => {
  const names = await readdir(folder)
  const texts = names.map(async (name) => [name, await readFile(new URL(name, folder), 'utf8')] as const)
  return Object.fromEntries(await Promise.all(texts))
}

export type Migration = { number: number; name: string; text: string }

/** The numbered files of migrations/, in order; a gap or a number used twice is an error. */
export const readMigrations = async (): Promise<Migration[]> => {
  const texts = typeof bundledMigrations === 'undefined' ? await readFolder() : bundledMigrations
  const names = Object.keys(texts).filter((name) => /^\d{4}-.+\.sql$/.test(name))
  const migrations = names.sort().map((name) => ({ number: Number(name.slice(0, 4)), name, text: texts[name] ?? '' }))
  migrations.forEach((migration, index) => {
    if (migration.number !== index + 1) throw new Error(`migration ${migration.name}: expected number ${index + 1}`)
  })
  return migrations
}

/**
 * Brings the database at `url` to this version's schema, each migration in its own transaction, and returns the names of those
 * applied. Rejects if the schema is newer than this version knows: it makes no guesses. Rejects behind a pooler that shares sessions.
 * Uses pg and not slonik, which refuses a file of several statements.
 */
export const migrate = async (url: string, patienceMs = connectMs): Promise<string[]> => {
  const migrations = await readMigrations()
  const client = await connect(url, patienceMs)
  try {
    await refuseSharedSessions(client, () => connect(url, patienceMs))
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migrations])
    return await applyMissing(client, migrations)
  } finally {
    await client.end()
  }
}

/** Whether the database at `url` has this version's schema, or a newer one. */
export const hasSchema = async (url: string): Promise<boolean> => {
  const client = await connect(url)
  try {
    const { rows } = await client.query<{ there: boolean }>(`select to_regclass('migrations') is not null as there`)
    if (!rows[0]?.there) return false
    const { rows: applied } = await client.query<{ newest: number | null }>(
      'select max(number) as newest from migrations',
    )
    return (applied[0]?.newest ?? 0) >= (await readMigrations()).length
  } finally {
    await client.end()
  }
}

/**
 * A peer that accepts the connection and never answers is no Postgres, or a hung one: without a limit this would wait in
 * silence.
 */
const connectMs = 10_000

/**
 * Names the setting at fault: these are the first connections of a process, and `connect ECONNREFUSED` alone could be any of
 * them.
 */
const connect = async (url: string, patienceMs = connectMs): Promise<Client> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: patienceMs })
  await client.connect().catch((cause) => {
    // if a name has several addresses, each has its own error, and the whole has no message
    const { message } = (cause instanceof AggregateError ? cause.errors[0] : cause) as Error
    throw new Error(`DATABASE_URL: no connection to the database: ${message}`, { cause })
  })
  await client.query(sessionSettings())
  return client
}

const applyMissing = async (client: Client, migrations: Migration[]): Promise<string[]> => {
  await client.query(`create table if not exists migrations (
    number integer primary key, name text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query<{ newest: number | null }>('select max(number) as newest from migrations')
  const newest = rows[0]?.newest ?? 0
  if (newest > migrations.length) {
    throw new Error(
      `the database has migration ${newest}, this version knows ${migrations.length}: start the newer version, or restore a backup`,
    )
  }
  const missing = migrations.slice(newest)
  for (const migration of missing) await applyOne(client, migration)
  // tables that were made like ours, and hold only what is in the bucket (history/restored-rows.ts)
  if (missing.length > 0) await dropRestored(client)
  return missing.map((migration) => migration.name)
}

const dropRestored = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(nspname) as name from pg_namespace where nspname = current_schema() || '_restored'`,
  )
  for (const { name } of rows) await client.query(`drop schema ${name} cascade`)
}

const applyOne = async (client: Client, migration: Migration): Promise<void> => {
  await client.query('begin')
  try {
    await client.query(migration.text)
    await client.query('insert into migrations (number, name) values ($1, $2)', [migration.number, migration.name])
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    throw new Error(`applying migration ${migration.name}: ${(cause as Error).message}`, { cause })
  }
}
