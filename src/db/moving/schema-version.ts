import { z } from 'zod'
import { readMigrations } from '../migrate.ts'
import { type Reader, sql } from '../sql.ts'

const NameRow = z.object({ name: z.string() })

/** The name of the last migration: two databases with the same have the same tables. */
const newestMigration = (db: Reader): Promise<string> =>
  db.oneFirst(sql.type(NameRow)`select name from migrations order by number desc limit 1`)

/** The same, if it is the one that this program was made for. Throws if not: what a later version added would be left out in silence. */
export const ownMigration = async (db: Reader): Promise<string> => {
  const [there, known] = [await newestMigration(db), (await readMigrations()).at(-1)?.name]
  if (there !== known)
    throw new Error(
      `the database has the schema ${there}, this program ${known}: run that of the service's own version`,
    )
  return there
}
