import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { startPostgres } from '../postgres.ts'
import type { Ending } from './ending.ts'
import { directoriesOf, removePostgres, self } from './leftovers.ts'

/** Address of a database of this demo alone: on the server that DATABASE_URL names, else on one brought along. */
export const startDatabase = async (ending: Ending): Promise<string> => {
  const given = process.env.DATABASE_URL?.trim()
  if (given) return ending.keep(createDatabase(given), () => dropDatabase(given))
  const { postgres } = directoriesOf(self)
  // Also after a start that failed, which may have left half a directory.
  ending.later(() => removePostgres(postgres))
  return (await startPostgres({ dir: postgres })).url
}

const name = `svc_demo_${self.replace('-', '_')}`

const createDatabase = async (server: string): Promise<string> => {
  await query(server, `create database "${name}"`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

const dropDatabase = (server: string): Promise<unknown> =>
  query(server, `drop database if exists "${name}" with (force)`)

const query = async (url: string, text: string, values: unknown[] = []): Promise<unknown[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Makes an API key as an operator does: a row in the table of keys (spec, 'Authentication'). */
export const addApiKey = async (database: string): Promise<string> => {
  const key = `sk_${randomBytes(24).toString('base64url')}`
  const hash = createHash('sha256').update(key).digest('hex')
  await query(database, 'insert into api_keys (name, key_hash, prefix, created_by) values ($1, $2, $3, $4)', [
    'demo',
    hash,
    key.slice(0, 10),
    'npm run demo',
  ])
  return key
}

/** Until the service has read from the code host that its app is installed on the repository: jobs are refused before. */
export const repositoryKnown = async (database: string, fullName: string): Promise<void> => {
  const deadline = Date.now() + 20_000
  while ((await query(database, 'select 1 from repositories where full_name = $1', [fullName])).length === 0) {
    if (Date.now() > deadline) throw new Error(`the service did not learn of ${fullName} within 20 s`)
    await wait(25)
  }
}
