/** Does something at once, or where it was done just now, after so many milliseconds since then: once for all who ask meanwhile. */
export type Spaced = {
  ask(): void
  /** It is done now, whoever asked. */
  done(): void
}

export const createSpaced = (ms: number, work: () => void): Spaced => {
  let doneAt = Number.NEGATIVE_INFINITY
  let isComing = false
  return {
    ask: () => {
      const inMs = doneAt + ms - performance.now()
      if (inMs <= 0) return work()
      if (isComing) return
      isComing = true
      const come = (): void => {
        isComing = false
        work()
      }
      setTimeout(come, inMs).unref()
    },
    done: () => {
      doneAt = performance.now()
    },
  }
}
