import { limits } from '#domain/limits.ts'
import { TooSlow } from '#portions.ts'
import type { Upload, UploadAnswer, UploadFacts } from './resolve-upload.ts'
import { createResolvingThread, tooMuch } from './resolving-thread.ts'
import { createWaitingLine } from './waiting-line.ts'

type ThreadsOptions = { quickMs: number; ms: number; megabytes: number; waiting: number }

type ResolvingThreads = {
  /** In its turn. The facts are asked for only then: what waits would hold the graph in memory. */
  resolve(upload: Upload, facts: () => Promise<UploadFacts>): Promise<UploadAnswer>
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
  const resolveQuickly = async (
    { owner: { installationId }, bytes }: Upload,
    facts: UploadFacts,
  ): Promise<UploadAnswer | undefined> => {
    try {
      return await quick.thread.resolve(bytes, facts)
    } catch (error) {
      if (!(error instanceof TooSlow)) throw error
      slowSince.set(installationId, performance.now())
      return undefined
    }
  }

  const resolveSlowly = async ({ bytes }: Upload, facts: UploadFacts): Promise<UploadAnswer> => {
    try {
      return await slow.thread.resolve(bytes, facts)
    } catch (error) {
      throw error instanceof TooSlow ? tooMuch(`${ms / 1000} s`) : error
    }
  }

  return {
    resolve: async (upload, facts) => {
      const { owner, signal, bytes } = upload
      const isOurs = (): boolean => bytes.length < limits.largeGraphBytes && !isSlow(owner.installationId)
      const quickly = async () => (isOurs() ? resolveQuickly(upload, await facts()) : undefined)
      const resolved = isOurs() ? await quick.line.turn(owner, signal, quickly) : undefined
      if (resolved !== undefined) return resolved
      slowOnes += 1
      clearTimeout(rest)
      try {
        return await slow.line.turn(owner, signal, async () => resolveSlowly(upload, await facts()))
      } finally {
        slowOnes -= 1
        if (slowOnes === 0) rest = setTimeout(slow.thread.rest, restAfterMs).unref()
      }
    },
    stop: () => Promise.all([quick.thread.stop(), slow.thread.stop()]),
  }
}
