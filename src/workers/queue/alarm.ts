/** What is due later than this is left to the poll. */
const farMs = 2000

export type Alarm = {
  /** Rings in so many milliseconds, or earlier if it is set for earlier; at once for 0. */
  set(inMs: number): void
  /** From now on, it rings only at once. */
  stop(): void
}

/** Rings when the next row that was queued for later becomes due: the poll would find it up to a second after that. */
export const createAlarm = (ring: () => void): Alarm => {
  let next: { at: number; timer: NodeJS.Timeout } | undefined
  let isStopped = false
  const later = (inMs: number): void => {
    const at = performance.now() + inMs
    if (isStopped || inMs > farMs || (next && next.at <= at)) return
    clearTimeout(next?.timer)
    const timer = setTimeout(() => {
      next = undefined
      ring()
    }, inMs).unref()
    next = { at, timer }
  }
  return {
    set: (inMs) => (inMs > 0 ? later(inMs) : ring()),
    stop: () => {
      isStopped = true
      clearTimeout(next?.timer)
    },
  }
}
