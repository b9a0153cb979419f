import { z } from 'zod'
import { addJobs } from '#db/queue/jobs.ts'
import { makeJob } from '#jobs/job.ts'
import { nothing, type Reader, sql, type Tx } from '../sql.ts'
import { isMoved, movedTableNames } from './moved-tables.ts'

const Installation = z.object({
  id: z.number(),
  account_id: z.number(),
  account_login: z.string(),
  paused: z.boolean(),
  removed: z.boolean(),
})

export type NamedInstallation = z.infer<typeof Installation>

/** Those of an account by its name in any letter case, or that with an id; several if the app was installed anew. */
export const installationsNamed = (db: Reader, name: string): Promise<readonly NamedInstallation[]> =>
  db.any(sql.type(Installation)`
    select id, account_id, account_login, paused_at is not null as paused, removed_at is not null as removed
    from installations where lower(account_login) = lower(${name}) or id::text = ${name} order by id`)

const Place = z.object({ id: z.number(), known: z.boolean(), used: z.boolean() })

/** Under which id an installation that comes is kept; whether it is known already, and has a past here. */
export type Place = z.infer<typeof Place>

/**
 * That of the account's installation here, if there is one: another app's has another id. Else the id that it had. One that is only known, as
 * the app was installed a moment ago, has no stacks, graphs or runs.
 */
export const placeOf = async (db: Reader, { id, account_id }: { id: number; account_id: number }): Promise<Place> =>
  (await db.maybeOne(sql.type(Place)`
    select i.id, true as known, exists (select from runs where installation_id = i.id)
      or exists (select from graphs where installation_id = i.id) or exists (select from stacks where installation_id = i.id) as used
    from installations i where i.id = ${id} or (i.account_id = ${account_id} and i.removed_at is null)
    order by i.removed_at is not null limit 1`)) ?? { id, known: false, used: false }

/** Removes what is known of an installation that has no past here, but for that there is one. */
export const clearInstallation = async (tx: Tx, id: number): Promise<void> => {
  for (const table of movedTableNames.toReversed()) {
    if (table === 'installations' || table === 'used_tokens') continue
    await tx.query(sql.type(nothing)`delete from ${sql.identifier([table])} t where ${isMoved(table, id)}`)
  }
}

/** From now on nothing is begun for it, as if it were suspended. */
export const pauseInstallation = async (db: Reader, id: number): Promise<void> => {
  await db.query(sql.type(nothing)`
    update installations set paused_at = coalesce(paused_at, now()), suspended_at = coalesce(suspended_at, now())
    where id = ${id}`)
}

/** Ends that; what was pushed meanwhile is read. False if it was not paused. */
export const resumeInstallation = async (tx: Tx, id: number): Promise<boolean> => {
  const { rowCount } = await tx.query(sql.type(nothing)`
    update installations set paused_at = null, suspended_at = nullif(suspended_at, paused_at)
    where id = ${id} and paused_at is not null`)
  if (rowCount === 0) return false
  await tx.query(sql.type(nothing)`update repositories set config_read_at = null where installation_id = ${id}`)
  await addJobs(tx, [syncJob()])
  return true
}

/**
 * Lets the code host say what becomes of an installation that has come: until its list has it, or its repositories under another
 * one, it counts as removed. What was pushed meanwhile is read.
 */
export const awaitCodeHost = async (tx: Tx, { id, known }: Place): Promise<void> => {
  if (!known)
    await tx.query(sql.type(nothing)`
      update installations set removed_at = now(), suspended_at = nullif(suspended_at, paused_at), paused_at = null
      where id = ${id}`)
  await tx.query(sql.type(nothing)`update repositories set config_read_at = null where installation_id = ${id}`)
  await addJobs(tx, [syncJob()])
}

const syncJob = () => makeJob('sync_installations', {}, { cause: null })
