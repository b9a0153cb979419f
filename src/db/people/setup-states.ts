import { z } from 'zod'
import { nothing, type Reader, sql } from '../sql.ts'

/** Notes that the form was shown to a browser, and removes expired states. */
export const addSetupState = async (db: Reader, hash: string, now: Date, expiresAt: Date): Promise<void> => {
  await db.query(sql.type(nothing)`
    with late as (delete from setup_states where expires_at <= ${now.toISOString()})
    insert into setup_states (state_hash, expires_at) values (${hash}, ${expiresAt.toISOString()})
    on conflict (state_hash) do nothing`)
}

const ExpiresAtRow = z.object({ expires_at: z.date() })

/** Takes a state: of all requests with it, on any number of instances, only one gets the expiry time. */
export const takeSetupState = async (db: Reader, hash: string, now: Date): Promise<Date | undefined> => {
  const taken = await db.maybeOne(sql.type(ExpiresAtRow)`
    delete from setup_states where state_hash = ${hash} and expires_at > ${now.toISOString()} returning expires_at`)
  return taken?.expires_at
}
