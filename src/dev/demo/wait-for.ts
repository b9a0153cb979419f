import { setTimeout as wait } from 'node:timers/promises'

/** Looks again and again until there is something; undefined if there is nothing within that many seconds. */
export const waitFor = async <T>(
  look: () => Promise<T | undefined> | T | undefined,
  seconds = 30,
): Promise<T | undefined> => {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const seen = await look()
    if (seen !== undefined || Date.now() > deadline) return seen
    await wait(50)
  }
}
