/** What was started and must be stopped, whatever ends the demo. */
export type Ending = {
  /** Says what is to be done at the end. */
  later(stop: () => Promise<unknown>): void
  /**
   * Registers what is being started together with how it is stopped, and hands it through. Registered before it stands, so
   * that a signal in the middle of a start ends it too.
   */
  keep<T>(starting: Promise<T>, stop: (started: T) => unknown): Promise<T>
  /** Stops everything, the last first, once; what cannot be stopped is told and does not hold up the rest. */
  end(): Promise<void>
}

export const createEnding = (tell: (problem: string) => void): Ending => {
  const stops: (() => Promise<unknown>)[] = []
  let ended: Promise<void> | undefined

  const stopAll = async (): Promise<void> => {
    for (let stop = stops.pop(); stop; stop = stops.pop()) {
      await stop().catch((error) => tell(`ending the demo: ${error instanceof Error ? error.message : error}`))
    }
  }

  return {
    later: (stop) => {
      stops.push(stop)
    },
    keep: (starting, stop) => {
      // What did not start has told so to whoever waits for it, and need not be stopped.
      stops.push(() => starting.then(stop, () => {}))
      return starting
    },
    end: () => {
      ended ??= stopAll()
      return ended
    },
  }
}
