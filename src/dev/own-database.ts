import { Client } from 'pg'
import type { Ending } from './ending.ts'
import { directoriesOf, type Program, removePostgres, self } from './leftovers.ts'
import { startPostgres } from './postgres.ts'

/**
 * Address of a new database of this process alone, gone at its end: on the server that DATABASE_URL names (its other
 * databases are left alone), else on a server of its own.
 */
export const startOwnDatabase = async (program: Program, ending: Ending): Promise<string> => {
  const given = process.env.DATABASE_URL?.trim()
  if (given) {
    const name = `svc_${program}_${self.replace('-', '_')}`
    return ending.keep(createDatabase(given, name), () => dropDatabase(given, name))
  }
  const { postgres } = directoriesOf(program, self)
  // Also after a failed start, which may have left half a directory.
  ending.later(() => removePostgres(postgres))
  return (await startPostgres({ dir: postgres })).url
}

const createDatabase = async (server: string, name: string): Promise<string> => {
  try {
    await query(server, `create database "${name}"`)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`making a database on the server that DATABASE_URL names: ${reason}`, { cause })
  }
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

const dropDatabase = (server: string, name: string): Promise<unknown> =>
  query(server, `drop database if exists "${name}" with (force)`)

/** One statement on its own connection. */
export const query = async (url: string, text: string, values: unknown[] = []): Promise<unknown[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}
