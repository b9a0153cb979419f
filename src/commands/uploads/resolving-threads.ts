import type { ResolvedUpload, Upload, UploadFacts } from './resolve-upload.ts'
import { createResolvingThread, TooSlow, tooMuch } from './resolving-thread.ts'
import { createWaitingLine } from './waiting-line.ts'

type ThreadsOptions = { quickMs: number; ms: number; megabytes: number; waiting: number }

type ResolvingThreads = {
  /** In its turn. The facts are asked for only then: what waits would hold the graph in memory. */
  resolve(upload: Upload, facts: () => Promise<UploadFacts>): Promise<ResolvedUpload>
  stop(): Promise<unknown>
}

/** Then its organisation is tried with the quick again. */
const slowForMs = 10 * 60_000

/**
 * Two threads: globs may be written so that an upload takes as long as it may, and those of other organisations would wait for
 * each. Who had one that is not quick goes on in the second thread, with a line of its own; it is there only while it is used.
 */
export const createResolvingThreads = ({ quickMs, ms, megabytes, waiting }: ThreadsOptions): ResolvingThreads => {
  const quick = { line: createWaitingLine(waiting), thread: createResolvingThread({ ms: quickMs, megabytes }) }
  const slow = { line: createWaitingLine(waiting), thread: createResolvingThread({ ms, megabytes }) }
  /** When each organisation's upload was not quick. */
  const slowSince = new Map<number, number>()
  let slowOnes = 0

  const isSlow = (installationId: number): boolean => {
    const since = slowSince.get(installationId)
    if (since === undefined || performance.now() - since < slowForMs) return since !== undefined
    return !slowSince.delete(installationId)
  }

  /** Undefined if it is not quick. */
  const resolveQuickly = async (
    { owner: { installationId }, bytes }: Upload,
    facts: UploadFacts,
  ): Promise<ResolvedUpload | undefined> => {
    try {
      return await quick.thread.resolve(bytes, facts)
    } catch (error) {
      if (!(error instanceof TooSlow)) throw error
      slowSince.set(installationId, performance.now())
      return undefined
    }
  }

  const resolveSlowly = async ({ bytes }: Upload, facts: UploadFacts): Promise<ResolvedUpload> => {
    try {
      return await slow.thread.resolve(bytes, facts)
    } catch (error) {
      throw error instanceof TooSlow ? tooMuch(`${ms / 1000} s`) : error
    }
  }

  return {
    resolve: async (upload, facts) => {
      const { owner, signal } = upload
      const isOurs = (): boolean => !isSlow(owner.installationId)
      const quickly = async () => (isOurs() ? resolveQuickly(upload, await facts()) : undefined)
      const resolved = isOurs() ? await quick.line.turn(owner, signal, quickly) : undefined
      if (resolved !== undefined) return resolved
      slowOnes += 1
      try {
        return await slow.line.turn(owner, signal, async () => resolveSlowly(upload, await facts()))
      } finally {
        slowOnes -= 1
        if (slowOnes === 0) slow.thread.rest()
      }
    },
    stop: () => Promise.all([quick.thread.stop(), slow.thread.stop()]),
  }
}
