/** So many looks for news follow each other at once; more are this far apart. */
const atOnce = 4
const everyMs = 30

/**
 * Passes news of queued rows on: at once as long as it is rare, at a steady pace where it comes by the hundred. An idle worker took each of 600
 * deliveries a second by a look of its own, of two statements and a commit; a dozen now share one. What follows from one delivery is heard at once.
 */
export const createNews = (tell: () => void, now: () => number = () => performance.now()): (() => void) => {
  let left = atOnce
  let since = now()
  let isComing = false
  const pass = (): void => {
    const elapsed = now() - since
    left = Math.min(atOnce, left + elapsed / everyMs)
    since = now()
    if (left >= 1) {
      left -= 1
      tell()
      return
    }
    isComing = true
    setTimeout(
      () => {
        isComing = false
        pass()
      },
      Math.ceil((1 - left) * everyMs),
    ).unref()
  }
  return () => {
    if (!isComing) pass()
  }
}
