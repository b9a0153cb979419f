import { onOrphaned } from './orphaned.ts'

/** What a program started and must stop, however it ends. */
export type Ending = {
  /** Adds something to do at the end. */
  later(stop: () => Promise<unknown>): void
  /**
   * Registers what is being started together with how to stop it, and returns it. Registered before it is up, so a signal in
   * the middle of a start ends it too.
   */
  keep<T>(starting: Promise<T>, stop: (started: T) => unknown): Promise<T>
  /** Stops everything, the last first, and ends the process. A failure to stop is reported and holds nothing up. */
  end(status: number): Promise<never>
  /** From now on a signal is the normal end of the program, with exit status 0; before this, it cuts the program short. */
  signalsAreFine(): void
  isEnding(): boolean
}

/** For this process, so there is one: signals and uncaught errors end it too; a second signal ends it at once. */
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
      // While everything is being stopped, what still uses it fails.
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
      // A start that failed was reported to its caller already, and needs no stopping.
      stops.push(() => starting.then(stop, () => {}))
      return starting
    },
    signalsAreFine: () => {
      isFine = true
    },
    isEnding: () => isEnding,
  }
}
