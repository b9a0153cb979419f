import { z } from 'zod'
import { addJobs } from '#db/queue/jobs.ts'
import { makeJob } from '#jobs/job.ts'
import { type Reader, sql, type Tx } from '../sql.ts'

const Nothing = z.object({})

const Installation = z.object({
  id: z.number(),
  account_login: z.string(),
  paused: z.boolean(),
  removed: z.boolean(),
})

export type NamedInstallation = z.infer<typeof Installation>

/** Those of an account by its name in any letter case, or that with an id; several if the app was installed anew. */
export const installationsNamed = (db: Reader, name: string): Promise<readonly NamedInstallation[]> =>
  db.any(sql.type(Installation)`
    select id, account_login, paused_at is not null as paused, removed_at is not null as removed
    from installations where lower(account_login) = lower(${name}) or id::text = ${name} order by id`)

export const installationIsThere = (db: Reader, id: number): Promise<boolean> =>
  db.exists(sql.type(Nothing)`select from installations where id = ${id}`)

/** From now on nothing is begun for it, as if it were suspended. */
export const pauseInstallation = async (db: Reader, id: number): Promise<void> => {
  await db.query(sql.type(Nothing)`
    update installations set paused_at = coalesce(paused_at, now()), suspended_at = coalesce(suspended_at, now())
    where id = ${id}`)
}

/** Ends that; what was pushed meanwhile is read. False if it was not paused. */
export const resumeInstallation = async (tx: Tx, id: number): Promise<boolean> => {
  const { rowCount } = await tx.query(sql.type(Nothing)`
    update installations set paused_at = null, suspended_at = nullif(suspended_at, paused_at)
    where id = ${id} and paused_at is not null`)
  if (rowCount === 0) return false
  await tx.query(sql.type(Nothing)`update repositories set config_read_at = null where installation_id = ${id}`)
  await addJobs(tx, [syncJob()])
  return true
}

/**
 * Lets the code host say what becomes of an installation that has come: until its list has it, or its repositories under another
 * one, it counts as removed.
 */
export const awaitCodeHost = async (tx: Tx, id: number): Promise<void> => {
  await tx.query(sql.type(Nothing)`
    update installations set removed_at = now(), suspended_at = nullif(suspended_at, paused_at), paused_at = null
    where id = ${id}`)
  await addJobs(tx, [syncJob()])
}

const syncJob = () => makeJob('sync_installations', {}, { cause: null })
