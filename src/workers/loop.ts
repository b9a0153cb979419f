export type Loop = {
  /** Works again now, or as soon as the current work has ended. */
  look(): void
  /** Resolves when the last work has ended. */
  stop(): Promise<void>
}

/** Works again at once while `work` returns true (there is more), otherwise when `look` is called, or after `pollMs`. */
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

/** Resolves with the promise, or after so many milliseconds; does not keep the process alive. */
const atMost = (ms: number, promise: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms).unref()
    void promise.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
