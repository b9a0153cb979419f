export type Loop = {
  /** Works again now, or as soon as it has ended. */
  look(): void
  /** Resolves when it has ended for the last time. */
  stop(): Promise<void>
}

/** Works again at once while `work` answers that there is more, else when it is told to look, or after `pollMs`. */
export const startLoop = (work: () => Promise<boolean>, pollMs: number): Loop => {
  let stopping = false
  let told = Promise.withResolvers<void>()
  const run = async (): Promise<void> => {
    while (!stopping) {
      told = Promise.withResolvers<void>()
      const isMore = await work()
      if (!isMore && !stopping) await atMost(pollMs, told.promise)
    }
  }
  const done = run()
  return {
    look: () => told.resolve(),
    stop: () => {
      stopping = true
      told.resolve()
      return done
    },
  }
}

/** Resolves with the promise, or after so many milliseconds; does not keep the process. */
const atMost = (ms: number, promise: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms).unref()
    void promise.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
