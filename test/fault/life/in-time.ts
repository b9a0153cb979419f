import { setTimeout as wait } from 'node:timers/promises'
import type { Life } from './life.ts'

/** What the service does each hour is asked for at once: nobody waits an hour here. */
const mostSeconds = 90

/** Waits until something is so; if it takes too long, the life is broken by what is said of it. */
export const inTime = async (life: Life, what: string, isSo: () => Promise<boolean>): Promise<void> => {
  const until = performance.now() + mostSeconds * 1000
  while (!(await isSo())) {
    if (performance.now() > until) {
      life.broken.push(`${what} within ${mostSeconds} s`)
      return
    }
    await wait(500)
  }
}
