import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { createGunzip, createGzip } from 'node:zlib'
import { linesOfRun, noRows, type RowCounts, type RowText } from '#db/history/rows-of-run.ts'
import type { Pool } from '#db/sql.ts'
import { linesOf } from '#lines.ts'
import { createBreath } from '#portions.ts'

/** The rows of a run as lines of JSON, compressed by themselves: a part of an object that can be read alone. */
export type PackedRun = { body: Buffer; hash: string; rows: RowCounts }

/** Of one turn of the event loop: some milliseconds. */
const hashedAtOnce = 1024 * 1024

const hashOf = async (body: Buffer): Promise<string> => {
  const hash = createHash('sha256')
  const breath = createBreath()
  for (let from = 0; from < body.length; from += hashedAtOnce) {
    hash.update(body.subarray(from, from + hashedAtOnce))
    await breath()
  }
  return hash.digest('hex')
}

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
  return { body, hash: await hashOf(body), rows }
}

/**
 * The rows of a packed run, one after another: a large one is never whole in memory, and others have their turns. Throws at once if these are
 * not the bytes that were written, and at the end if there were not as many rows as they say.
 */
export async function* unpackRun(
  body: Buffer,
  { hash, rows }: { hash: string; rows: RowCounts },
): AsyncGenerator<RowText> {
  if ((await hashOf(body)) !== hash) throw new Error('the bytes in the bucket are not those that were written')
  const found: Record<string, number> = {}
  const breath = createBreath()
  const unzip = createGunzip()
  unzip.end(body)
  for await (const line of linesOf(unzip)) {
    const read = readLine(line)
    found[read.table] = (found[read.table] ?? 0) + 1
    yield read
    await breath()
  }
  for (const [table, count] of Object.entries(rows)) {
    if ((found[table] ?? 0) !== count)
      throw new Error(`the bucket has ${found[table] ?? 0} rows of ${table}, not ${count}`)
  }
}

/** Rejects as `unpackRun` does, once all rows were read. */
export const checkPacked = async (body: Buffer, run: { hash: string; rows: RowCounts }): Promise<void> => {
  const rows = unpackRun(body, run)
  while (!(await rows.next()).done);
}

/** As rows-of-run.ts wrote it: the row is passed on to Postgres as it is. */
const readLine = (line: string): RowText => {
  const [, table] = /^\{"table":"([a-z_]+)","row":/.exec(line) ?? []
  if (table === undefined || !line.endsWith('}')) throw new Error('a line in the bucket is not a row')
  return { table, row: line.slice(`{"table":"${table}","row":`.length, -1) }
}
