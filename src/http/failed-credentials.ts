import type { Clock } from '#clock.ts'

export type FailedCredentials = {
  /** Whether to refuse this credential from this address without checking it. */
  isBlocked(credential: string, address: string): boolean
  noteFailure(credential: string, address: string): void
}

const failuresAllowed = 20
const windowMs = 60_000
/** About 2 MB. When full, the oldest entry is dropped: at worst that costs a look-up in the database. */
const rememberedAtMost = 10_000

/**
 * Remembers credentials that failed, by hash: after 20 failures in a minute from one address, they are refused for a minute
 * without asking the database. In this process only: it saves work, and is no part of the proof.
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
