import type { Clock } from '#clock.ts'

export type FailedCredentials = {
  /** Whether this credential from this address is to be refused unseen. */
  isBlocked(credential: string, address: string): boolean
  noteFailure(credential: string, address: string): void
}

const failuresAllowed = 20
const windowMs = 60_000
/** About 2 MB. When full the longest known is forgotten: the worst that follows is a look-up in the database. */
const rememberedAtMost = 10_000

/**
 * Remembers credentials (by their hash) that failed: after 20 times in a minute from one address they are refused for a
 * minute without a look at the database. In this process alone: it spares work, it is no part of the proof.
 */
export const createFailedCredentials = (clock: Clock): FailedCredentials => {
  const known = new Map<string, { failures: number; until: number }>()
  return {
    isBlocked: (credential, address) => {
      const seen = known.get(`${credential} ${address}`)
      return seen !== undefined && seen.failures >= failuresAllowed && clock.now().getTime() < seen.until
    },
    noteFailure: (credential, address) => {
      const name = `${credential} ${address}`
      const now = clock.now().getTime()
      const seen = known.get(name)
      if (!seen || now >= seen.until) {
        known.delete(name)
        known.set(name, { failures: 1, until: now + windowMs })
      } else {
        seen.failures += 1
        if (seen.failures === failuresAllowed) seen.until = now + windowMs
      }
      if (known.size > rememberedAtMost) known.delete(known.keys().next().value ?? '')
    },
  }
}
