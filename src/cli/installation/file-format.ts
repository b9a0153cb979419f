import { createHash, type Hash } from 'node:crypto'
import { z } from 'zod'

/*
 * The file of an installation on its way: lines of JSON, compressed. First what it is, then the rows in the order of the tables, last how many
 * there were and a hash of all lines before.
 */

/** Raised when an older version could not read the file. */
export const format = 1

export const Header = z.object({
  svc_installation: z.literal(format),
  /** The last migration. */
  schema: z.string(),
  installation: z.object({ id: z.number(), account_id: z.number(), account: z.string() }),
  /** Of runs whose rows are in partitions. */
  months: z.array(z.string().regex(/^\d{4}-\d\d$/)),
  exported_at: z.string(),
})

export type Header = z.infer<typeof Header>

export const Ending = z.object({
  rows: z.record(z.string(), z.number()),
  sha256: z.string(),
})

export type Ending = z.infer<typeof Ending>

/** How many rows of each table went by, and the hash of their lines. */
export const createTally = () => {
  const rows: Record<string, number> = {}
  const hash: Hash = createHash('sha256')
  return {
    /** Some lines as they are in the file. */
    addText: (text: string) => void hash.update(text),
    addRows: (table: string, count: number) => {
      rows[table] = (rows[table] ?? 0) + count
    },
    ending: (): Ending => ({ rows, sha256: hash.copy().digest('hex') }),
  }
}

export type Tally = ReturnType<typeof createTally>

/** The table and the row of a line, the row as Postgres spells it; undefined for a line that is none. */
export const readRow = (line: string): { table: string; row: string } | undefined => {
  const table = /^\{"table":"([a-z_]{1,63})","row":\{/.exec(line)?.[1]
  if (table === undefined || !line.endsWith('}}')) return undefined
  return { table, row: line.slice(`{"table":"${table}","row":`.length, -1) }
}

export const total = (rows: Readonly<Record<string, number>>): number =>
  Object.values(rows).reduce((sum, count) => sum + count, 0)
