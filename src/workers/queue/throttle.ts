/** So many calls follow each other at once; more are this far apart. */
const atOnce = 4
const everyMs = 30

/**
 * Works at once as long as that is asked for rarely, and at a steady pace where it is asked for by the hundred. An idle worker took each of
 * hundreds of deliveries a second by a look of its own, of two statements and a commit; they share one now. What follows from one delivery is heard at once.
 */
export const throttle = (work: () => void, now: () => number = () => performance.now()): (() => void) => {
  let left = atOnce
  let since = now()
  let isComing = false
  const pass = (): void => {
    const elapsed = now() - since
    left = Math.min(atOnce, left + elapsed / everyMs)
    since = now()
    if (left >= 1) {
      left -= 1
      work()
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
