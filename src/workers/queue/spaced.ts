/** Does something at once, or where it was done just now, after so many milliseconds since then: once for all who ask meanwhile. */
export type Spaced = {
  ask(): void
  /** It was done. */
  done(): void
  /** From now on, at once. */
  stop(): void
}

export const createSpaced = (ms: number, work: () => void): Spaced => {
  let doneAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  return {
    ask: () => {
      const inMs = isStopped ? 0 : doneAt + ms - performance.now()
      if (inMs <= 0) return work()
      timer ??= setTimeout(() => {
        timer = undefined
        work()
      }, inMs).unref()
    },
    done: () => {
      doneAt = performance.now()
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
