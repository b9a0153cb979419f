import { Worker } from 'node:worker_threads'
import { type ResolvedUpload, type ResolveUpload, resolveUpload, type UploadFacts } from './resolve-upload.ts'

export type Resolver = { resolve: ResolveUpload; stop(): Promise<void> }

type Job = { text: string; facts: UploadFacts }
type Waiting = { resolve(resolved: ResolvedUpload): void; reject(error: unknown): void }

/** Below this a thread costs more than it spares: 256 KB parse and resolve in some 3 ms. */
const inlineChars = 256 * 1024

/**
 * Resolves uploads: small ones at once, large ones in a thread of their own, so that results of other jobs do not wait the
 * 150 ms that 8 MB take. The thread is started with the first large upload; were it to die, what it had is refused and the
 * next upload starts another.
 */
export const createResolver = (): Resolver => {
  let thread: Worker | undefined
  let last = 0
  const waiting = new Map<number, Waiting>()

  const start = (): Worker => {
    const worker = new Worker(new URL('./resolver-thread.ts', import.meta.url))
    worker.unref()
    worker.on('message', ({ id, resolved, error }: { id: number; resolved?: ResolvedUpload; error?: unknown }) => {
      if (resolved) waiting.get(id)?.resolve(resolved)
      else waiting.get(id)?.reject(error)
      waiting.delete(id)
    })
    worker.on('error', (error) => {
      thread = undefined
      for (const one of waiting.values()) one.reject(error)
      waiting.clear()
    })
    return worker
  }

  return {
    resolve: async (text, facts) => {
      if (text.length + (facts.defaultGraph?.length ?? 0) < inlineChars) return resolveUpload(text, facts)
      thread ??= start()
      const job: Job & { id: number } = { id: ++last, text, facts }
      return new Promise((resolve, reject) => {
        waiting.set(job.id, { resolve, reject })
        thread?.postMessage(job)
      })
    },
    stop: async () => {
      await thread?.terminate()
    },
  }
}
