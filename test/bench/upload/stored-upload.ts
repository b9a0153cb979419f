import { Client } from 'pg'
import { copyIn, copyOut } from './copy.ts'

/** The rows of one table that an upload wrote, as COPY writes them. */
export type StoredRows = { table: string; rows: Buffer }

type Wanted = { url: string; runId: string; withStacks: boolean }

/** All rows of a run whose graph was uploaded, in an order in which they can be added; with the repository's stacks, if they are new. */
export const storedRows = async ({ url, runId, withStacks }: Wanted): Promise<StoredRows[]> => {
  const tables = {
    graphs: `id = (select graph_id from runs where id = '${runId}')`,
    runs: `id = '${runId}'`,
    ...(withStacks ? { stacks: 'true', stack_standings: 'true' } : {}),
    run_stacks: `run_id = '${runId}'`,
    journal: `run_id = '${runId}'`,
  }
  const client = new Client(url)
  await client.connect()
  const stored: StoredRows[] = []
  for (const [table, where] of Object.entries(tables))
    stored.push({ table, rows: await copyOut(client, `select * from ${table} where ${where}`) })
  await client.end()
  return stored
}

/** Adds them in one transaction. */
export const addRows = async (client: Client, stored: readonly StoredRows[]): Promise<void> => {
  await client.query('begin')
  for (const { table, rows } of stored) await copyIn(client, table, rows)
  await client.query('commit')
}
