import { type FragmentSqlToken, type Reader, sql, type Tx } from './sql.ts'

/** Whose rows are meant: all of a run, a stack or a lock are of one installation. */
export type Tenant = { readonly installationId: number }

/** A transaction that touches rows of one installation alone. */
export type TenantTx = Tx & Tenant

/**
 * The same database, for statements about one installation's rows: they say so, and look into its part of a table alone. Where that
 * was not said, a statement first looks up whose the thing is that it is about.
 */
export const ofInstallation = <D extends Reader>(db: D, installationId: number): D & Tenant =>
  Object.assign(Object.create(db), { installationId })

/** The same database for statements about rows of several, where one was said. */
export const ofAny = <D extends Reader>(db: D): D =>
  tenantOf(db) === undefined ? db : Object.assign(Object.create(db), { installationId: undefined })

/** The installation that was said, if one was. */
export const tenantOf = (db: Reader): number | undefined => (db as Reader & Partial<Tenant>).installationId

const value = (id: number): FragmentSqlToken => sql.fragment`${id}::int8`

const owner =
  (table: string) =>
  (db: Reader, id: string | number): FragmentSqlToken => {
    const said = tenantOf(db)
    return said === undefined
      ? sql.fragment`(select installation_id from ${sql.identifier([table])} where id = ${id})`
      : value(said)
  }

/** Whose a run is, as a value in a statement: what is found by a run is in that installation's part of a table. */
export const ofRun = owner('runs')
/** Whose a stack is. */
export const ofStack = owner('stacks')
/** Whose a repository is. */
export const ofRepository = owner('repositories')

const owners =
  (table: string) =>
  (db: Reader, ids: readonly string[]): FragmentSqlToken => {
    const said = tenantOf(db)
    if (said !== undefined) return sql.fragment`= ${value(said)}`
    const wanted = sql.array([...new Set(ids)], 'uuid')
    return sql.fragment`= any(array(select installation_id from ${sql.identifier([table])} where id = any(${wanted})))`
  }

/** The same of several, as a comparison. */
export const ofRuns = owners('runs')
export const ofStacks = owners('stacks')

/** Of rows `r` that are found by an id of their own: in whose part of the table to look, if it was said. */
export const within = (db: Reader, r: FragmentSqlToken): FragmentSqlToken => {
  const said = tenantOf(db)
  return said === undefined ? sql.fragment`true` : sql.fragment`${r}.installation_id = ${value(said)}`
}
