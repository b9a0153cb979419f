import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { createGzip, gunzip } from 'node:zlib'
import { linesOfRun, noRows, type RowCounts } from '#db/history/rows-of-run.ts'
import type { Pool } from '#db/sql.ts'

/** The rows of a run as lines of JSON, compressed by themselves: a part of an object that can be read alone. */
export type PackedRun = { body: Buffer; hash: string; rows: RowCounts }

const hashOf = (body: Buffer): string => createHash('sha256').update(body).digest('hex')

export const packRun = async (pool: Pool, runId: string): Promise<PackedRun> => {
  const rows = noRows()
  const zip = createGzip()
  const whole = buffer(zip)
  try {
    for await (const text of linesOfRun(pool, runId, rows)) if (!zip.write(text)) await once(zip, 'drain')
    zip.end()
  } catch (error) {
    zip.destroy(error as Error)
  }
  const body = await whole
  return { body, hash: hashOf(body), rows }
}

const unzip = promisify(gunzip)

/** The lines of a packed run. Throws if these are not the bytes that were written, or say something else. */
export const unpackRun = async (
  body: Buffer,
  { hash, rows }: { hash: string; rows: RowCounts },
): Promise<{ table: string; row: string }[]> => {
  if (hashOf(body) !== hash) throw new Error('the bytes in the bucket are not those that were written')
  const lines = (await unzip(body)).toString().split('\n').slice(0, -1).map(readLine)
  const found: Record<string, number> = {}
  for (const { table } of lines) found[table] = (found[table] ?? 0) + 1
  for (const [table, count] of Object.entries(rows)) {
    if ((found[table] ?? 0) !== count)
      throw new Error(`the bucket has ${found[table] ?? 0} rows of ${table}, not ${count}`)
  }
  return lines
}

/** As rows-of-run.ts wrote it: the row is passed on to Postgres as it is. */
const readLine = (line: string): { table: string; row: string } => {
  const [, table] = /^\{"table":"([a-z_]+)","row":/.exec(line) ?? []
  if (table === undefined || !line.endsWith('}')) throw new Error('a line in the bucket is not a row')
  return { table, row: line.slice(`{"table":"${table}","row":`.length, -1) }
}
