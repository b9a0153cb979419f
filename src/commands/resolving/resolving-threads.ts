import { limits } from '#domain/limits.ts'
import { TooSlow } from '#portions.ts'
import { createResolvingThread, type ResolvingThread, tooMuch } from './resolving-thread.ts'
import { createWaitingLine, type WaitingFor } from './waiting-line.ts'

type ThreadsOptions = { quickMs: number; ms: number; megabytes: number; waiting: number }

/** What is asked, by whom. `bytes` of the graph. */
type Asking = { bytes: number; owner: WaitingFor; signal: AbortSignal }

type ResolvingThreads = {
  /** Has a thread do it when it is its turn; `work` may be done again by another. What it needs is read only then: what waits would hold it in memory. */
  inThread<T extends object | string>(asking: Asking, work: (thread: ResolvingThread) => Promise<T>): Promise<T>
  stop(): Promise<unknown>
}

/** Then its organisation is tried with the quick again. */
const slowForMs = 10 * 60_000
/** The second thread is kept for the next one so long: it keeps 20 MB, and takes 150 ms to start. */
const restAfterMs = 10_000
/** Of the second thread's time, which is never short where nobody else needs the processor. */
const lowPriority = 10

/**
 * Two threads: a graph may be large, and globs may be written so that an upload takes as long as it may; those of other organisations
 * would wait for each. What is large, and who had one that is not quick, goes to the second thread, with a line of its own. On a
 * machine with two cores, requests of others took up to 0.9 s beside graphs of 8 MB, 0.3 s since that thread's priority is low.
 */
export const createResolvingThreads = ({ quickMs, ms, megabytes, waiting }: ThreadsOptions): ResolvingThreads => {
  const quick = {
    line: createWaitingLine(waiting),
    thread: createResolvingThread({ ms: quickMs, megabytes, priority: 0 }),
  }
  const slow = {
    line: createWaitingLine(waiting),
    thread: createResolvingThread({ ms, megabytes, priority: lowPriority }),
  }
  /** When each organisation's upload was not quick. */
  const slowSince = new Map<number, number>()
  let slowOnes = 0
  let rest: NodeJS.Timeout | undefined

  const isSlow = (installationId: number): boolean => {
    const since = slowSince.get(installationId)
    if (since === undefined || performance.now() - since < slowForMs) return since !== undefined
    return !slowSince.delete(installationId)
  }

  /** Undefined if it is not quick. */
  const tryQuickly = async <T>(
    { installationId }: WaitingFor,
    work: (thread: ResolvingThread) => Promise<T>,
  ): Promise<T | undefined> => {
    try {
      return await work(quick.thread)
    } catch (error) {
      if (!(error instanceof TooSlow)) throw error
      slowSince.set(installationId, performance.now())
      return undefined
    }
  }

  const doSlowly = async <T>(work: (thread: ResolvingThread) => Promise<T>): Promise<T> => {
    try {
      return await work(slow.thread)
    } catch (error) {
      throw error instanceof TooSlow ? tooMuch(`${ms / 1000} s`) : error
    }
  }

  return {
    inThread: async ({ owner, signal, bytes }, work) => {
      const isOurs = (): boolean => bytes < limits.largeGraphBytes && !isSlow(owner.installationId)
      const quickly = async () => (isOurs() ? tryQuickly(owner, work) : undefined)
      const done = isOurs() ? await quick.line.turn(owner, signal, quickly) : undefined
      if (done !== undefined) return done
      slowOnes += 1
      clearTimeout(rest)
      try {
        return await slow.line.turn(owner, signal, () => doSlowly(work))
      } finally {
        slowOnes -= 1
        if (slowOnes === 0) rest = setTimeout(slow.thread.rest, restAfterMs).unref()
      }
    },
    stop: () => Promise.all([quick.thread.stop(), slow.thread.stop()]),
  }
}
