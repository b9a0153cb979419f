import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '#clock.ts'
import type { ConvertManifest, NewApp } from '#codehost/manifest.ts'
import { addSetupState, takeSetupState } from '#db/people/setup-states.ts'
import type { Pool } from '#db/sql.ts'
import { limits } from '#domain/limits.ts'
import { invalid, Problem } from '#errors.ts'

type SetupDeps = { pool: Pool; clock: Clock }

/** Begins the making of an app in a browser that is known by its secret; returns the state that goes with the form. */
export const beginSetup = async ({ pool, clock }: SetupDeps, browserSecret: string): Promise<string> => {
  const state = randomBytes(24).toString('base64url')
  const now = clock.now()
  const until = new Date(now.getTime() + limits.setupSeconds * 1000)
  await addSetupState(pool, hashOf(state, browserSecret), now, until)
  return state
}

type CameBack = { code: string; state: string; browserSecret: string; cause: string }

/**
 * Turns the code that the browser came back with into the app's credentials: once, within an hour, and only for the browser
 * that began (docs/interface.md, 'Setup'). If the code host could not be reached, the browser may come again with the same
 * code.
 */
export const finishSetup = async (
  { pool, clock, convert }: SetupDeps & { convert: ConvertManifest },
  { code, state, browserSecret, cause }: CameBack,
): Promise<NewApp> => {
  const hash = hashOf(state, browserSecret)
  const until = await takeSetupState(pool, hash, clock.now())
  if (!until) throw invalid('state', 'belongs to no set-up that this browser began in the last hour, or was used')
  try {
    const made = await convert(code, cause)
    if (made) return made
  } catch (error) {
    if (error instanceof Problem && error.code === 'unavailable') await addSetupState(pool, hash, clock.now(), until)
    throw error
  }
  throw invalid('code', 'is not known to the code host, was used before, or is older than an hour')
}

const hashOf = (state: string, browserSecret: string): string =>
  createHash('sha256').update(`${state}.${browserSecret}`).digest('hex')
