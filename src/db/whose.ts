import { z } from 'zod'
import { type Reader, sql } from './sql.ts'
import { ofInstallation, type Tenant, tenantOf } from './tenant.ts'

/** Things of one kind, by their ids. */
export type Things = { runs: readonly string[] } | { stacks: readonly string[] } | { repositories: readonly number[] }

const InstallationIdRow = z.object({ installation_id: z.number() })

/** Whose these are: one look at an index for each; in parts of tables that are on several machines, one at each. */
const whose = async (db: Reader, things: Things): Promise<number[]> => {
  const rows = await db.any(sql.type(InstallationIdRow)`
    select distinct installation_id from ${
      'runs' in things
        ? sql.fragment`runs where id = any(${sql.array([...things.runs], 'uuid')})`
        : 'stacks' in things
          ? sql.fragment`stacks where id = any(${sql.array([...things.stacks], 'uuid')})`
          : sql.fragment`repositories where id = any(${sql.array([...things.repositories], 'int8')})`
    } order by 1`)
  return rows.map((row) => row.installation_id)
}

/** The same database, for the installation that these are of, if it was not said. Undefined if there is none of them. */
export const forOwnerOf = async <D extends Reader>(db: D, things: Things): Promise<(D & Tenant) | undefined> => {
  if (tenantOf(db) !== undefined) return db as D & Tenant
  const [owner, ...others] = await whose(db, things)
  if (others.length > 0) throw new Error('a transaction about rows of several installations')
  return owner === undefined ? undefined : ofInstallation(db, owner)
}

/** The same for things that are certainly there. */
export const forOwnerOfKnown = async <D extends Reader>(db: D, things: Things): Promise<D & Tenant> => {
  const own = await forOwnerOf(db, things)
  if (!own) throw new Error(`${JSON.stringify(things)} are gone`)
  return own
}
