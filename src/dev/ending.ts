import { onOrphaned } from './orphaned.ts'

/** What a program started and must stop, whatever ends it. */
export type Ending = {
  /** Says what is to be done at the end. */
  later(stop: () => Promise<unknown>): void
  /**
   * Registers what is being started together with how it is stopped, and hands it through. Registered before it stands, so
   * that a signal in the middle of a start ends it too.
   */
  keep<T>(starting: Promise<T>, stop: (started: T) => unknown): Promise<T>
  /** Stops everything, the last first, and ends the process. What cannot be stopped is told and holds nothing up. */
  end(status: number): Promise<never>
  /** From now on a signal is how the program is meant to be ended, and its exit status 0; before, it is cut short. */
  signalsAreFine(): void
  isEnding(): boolean
}

/** Of this process, of which there is one: signals and errors that nobody caught end it too; a second signal at once. */
export const createEnding = (tell: (problem: string) => void): Ending => {
  const stops: (() => Promise<unknown>)[] = []
  let isEnding = false
  let isFine = false

  const end = async (status: number): Promise<never> => {
    isEnding = true
    for (let stop = stops.pop(); stop; stop = stops.pop()) {
      await stop().catch((error) => tell(`stopping: ${error instanceof Error ? error.message : error}`))
    }
    process.exit(status)
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(
      signal,
      (_: NodeJS.Signals, number: number) => void (isEnding ? process.exit(1) : end(isFine ? 0 : 128 + number)),
    )
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error) => {
      // While all is being stopped, what still uses it fails.
      if (isEnding) return
      tell(error instanceof Error ? (error.stack ?? error.message) : String(error))
      void end(1)
    })
  }
  onOrphaned(() => void (isEnding || end(1)))

  return {
    end,
    later: (stop) => {
      stops.push(stop)
    },
    keep: (starting, stop) => {
      // What did not start has told so to whoever waits for it, and need not be stopped.
      stops.push(() => starting.then(stop, () => {}))
      return starting
    },
    signalsAreFine: () => {
      isFine = true
    },
    isEnding: () => isEnding,
  }
}
