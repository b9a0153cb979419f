import { z } from 'zod'
import { type Reader, sql } from '../sql.ts'

const NameRow = z.object({ name: z.string() })

/** The name of the last migration: two databases with the same have the same tables. */
export const newestMigration = (db: Reader): Promise<string> =>
  db.oneFirst(sql.type(NameRow)`select name from migrations order by number desc limit 1`)
