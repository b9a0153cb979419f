import { z } from 'zod'
import { nothing, type Reader, sql, type Tx } from '../sql.ts'

export type InstallationRow = {
  id: number
  account_id: number
  account_login: string
  account_type: 'User' | 'Organization'
  suspended_at: Date | null
}

/**
 * Records the app's installations as the code host shows them now; a removed one comes back. When a suspension ends, the
 * configurations count as unread: pushes in between were not delivered. One that is paused here stays suspended.
 */
export const putInstallations = async (tx: Tx, rows: InstallationRow[]): Promise<void> => {
  const open = sql.array(
    rows.flatMap((row) => (row.suspended_at === null ? [row.id] : [])),
    'int8',
  )
  await tx.query(sql.type(nothing)`
    with resumed as (
      update repositories r set config_read_at = null from installations i
      where i.id = any(${open}) and i.suspended_at is not null and i.paused_at is null and r.installation_id = i.id)
    insert into installations as i (id, account_id, account_login, account_type, suspended_at)
    select * from ${sql.unnest(
      rows.map((row) => [
        row.id,
        row.account_id,
        row.account_login,
        row.account_type,
        row.suspended_at?.toISOString() ?? null,
      ]),
      ['int8', 'int8', 'text', 'text', 'timestamptz'],
    )}
    on conflict (id) do update set account_id = excluded.account_id, account_login = excluded.account_login,
      account_type = excluded.account_type, suspended_at = coalesce(excluded.suspended_at, i.paused_at),
      removed_at = null, updated_at = now()`)
}

/** Marks every installation as removed that the code host no longer lists, and its repositories with it. */
export const removeInstallationsExcept = async (tx: Tx, ids: number[]): Promise<void> => {
  await tx.query(sql.type(nothing)`
    with gone as (
      update installations set removed_at = now() where removed_at is null and id <> all(${sql.array(ids, 'int8')})
      returning id)
    update repositories set removed_at = now()
    from gone where repositories.installation_id = gone.id and repositories.removed_at is null`)
}

export const OpenAccount = z.object({
  installation_id: z.number(),
  account_id: z.number(),
  account_login: z.string(),
  account_type: z.enum(['User', 'Organization']),
})

/** An account that has the app, not suspended: its members may sign in. */
export type OpenAccount = z.infer<typeof OpenAccount>

export const openAccounts = (db: Reader): Promise<readonly OpenAccount[]> =>
  db.any(sql.type(OpenAccount)`
    select id as installation_id, account_id, account_login, account_type from installations
    where removed_at is null and suspended_at is null order by id`)

const AllRow = z.object({ all: z.boolean() })

/** Whether every account that has the app now, not suspended, is one of these; false if there are none. */
export const hasAllOpenAccounts = async (db: Reader, accountIds: readonly number[]): Promise<boolean> =>
  (
    await db.one(sql.type(AllRow)`
      select coalesce(bool_and(account_id = any(${sql.array([...accountIds], 'int8')})), false) as all
      from installations where removed_at is null and suspended_at is null`)
  ).all

const Installation = z.object({ id: z.number(), account_login: z.string() })

/** Null for one that is removed or suspended, too. */
export const findOpenInstallation = (db: Reader, id: number): Promise<z.infer<typeof Installation> | null> =>
  db.maybeOne(sql.type(Installation)`
    select id, account_login from installations where id = ${id} and suspended_at is null and removed_at is null`)

const IdRow = z.object({ id: z.number() })

/** Those that are paused here, since they are being moved to another service. */
export const pausedInstallations = async (db: Reader): Promise<ReadonlySet<number>> =>
  new Set(await db.anyFirst(sql.type(IdRow)`select id from installations where paused_at is not null`))
