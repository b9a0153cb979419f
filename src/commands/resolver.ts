import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Problem } from '#errors.ts'
import { type ResolvedUpload, type ResolveUpload, resolveUpload, type UploadFacts } from './resolve-upload.ts'

export type Resolver = { resolve: ResolveUpload; stop(): Promise<void> }

/** What the thread answers to one upload. */
export type ThreadAnswer = { resolved: ResolvedUpload } | { error: unknown }

type Waiting = { resolve(resolved: ResolvedUpload): void; reject(error: unknown): void }

/** Beside this file: .ts among the sources, .mjs in the bundle. */
const threadFile = new URL(`./resolver-thread${extname(import.meta.filename)}`, import.meta.url)

/** Below this a thread costs more than it spares: 256 KB parse and resolve in some 3 ms. */
const inlineChars = 256 * 1024

/**
 * Resolves uploads: small ones at once, large ones in a thread of their own, so that results of other jobs do not wait the
 * 150 ms that 8 MB take. The thread is started with the first large upload and given one at a time, since what it is sent is
 * copied; were it to die, that one is refused and the next starts another.
 */
export const createResolver = (): Resolver => {
  let thread: Worker | undefined
  let waiting: Waiting | undefined
  let last: Promise<unknown> = Promise.resolve()

  const start = (): Worker => {
    const worker = new Worker(threadFile)
    worker.unref()
    worker.on('message', (answer: ThreadAnswer) => {
      if ('resolved' in answer) waiting?.resolve(answer.resolved)
      else waiting?.reject(answer.error)
    })
    worker.on('error', (error) => {
      thread = undefined
      waiting?.reject(error)
    })
    worker.on('exit', () => {
      if (thread !== worker) return
      thread = undefined
      waiting?.reject(new Problem('unavailable', 'the service stops: try again'))
    })
    return worker
  }
  const inThread = (text: string, facts: UploadFacts): Promise<ResolvedUpload> =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject }
      thread ??= start()
      thread.postMessage({ text, facts })
    })

  return {
    resolve: async (text, facts) => {
      if (text.length + (facts.defaultGraph?.length ?? 0) < inlineChars) return resolveUpload(text, facts)
      const resolved = last.then(() => inThread(text, facts))
      last = resolved.catch(() => {})
      return resolved
    },
    stop: async () => {
      await thread?.terminate()
    },
  }
}
