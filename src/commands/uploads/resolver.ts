import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { invalid, Problem } from '#errors.ts'
import { type ResolvedUpload, type ResolveUpload, resolveUpload, type UploadFacts } from './resolve-upload.ts'

export type Resolver = { resolve: ResolveUpload; stop(): Promise<void> }

/** The thread's answer to one upload. */
export type ThreadAnswer = { resolved: ResolvedUpload } | { error: unknown }

type Waiting = { resolve(resolved: ResolvedUpload): void; reject(error: unknown): void }

/** Beside this file: .ts among the sources, .mjs in the bundle. */
const threadFile = new URL(`./resolver-thread${extname(import.meta.filename)}`, import.meta.url)

/**
 * The most that is resolved inline. A pull request's configuration matches what globs it likes against as many paths: the
 * time grows with the product of the two, 5 ns a pair of characters. All of 8 KB spent on it hold up other requests for less
 * than a second; 256 KB took 45 minutes, and in a thread a graph of that size is resolved in some 3 ms.
 */
const inlineChars = 8 * 1024

/** Far above the 150 ms of 8 MB, and below the 30 s that the client waits; 25,000 stacks take 190 MB. */
const most = { ms: 20_000, megabytes: 256 }

/**
 * Resolves uploads: small ones inline, others in a separate thread, so results of other jobs do not wait for them. The thread
 * is started with the first large upload and takes one at a time, since its messages are copied. If it dies, or takes more
 * than `atMost`, that upload is refused and the next one starts another thread.
 */
export const createResolver = (atMost = most): Resolver => {
  let thread: Worker | undefined
  let waiting: Waiting | undefined
  let last: Promise<unknown> = Promise.resolve()

  const start = (): Worker => {
    const worker = new Worker(threadFile, { resourceLimits: { maxOldGenerationSizeMb: atMost.megabytes } })
    worker.unref()
    worker.on('message', (answer: ThreadAnswer) => {
      if ('resolved' in answer) waiting?.resolve(answer.resolved)
      else waiting?.reject(answer.error)
    })
    worker.on('error', (error) => {
      thread = undefined
      const isFull = (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY'
      waiting?.reject(isFull ? tooMuch(`${atMost.megabytes} MB`) : error)
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

  /** Ends a thread that does not finish, so the next upload gets another. */
  const inTime = async (text: string, facts: UploadFacts): Promise<ResolvedUpload> => {
    const late = setTimeout(() => {
      const slow = thread
      thread = undefined
      void slow?.terminate()
      waiting?.reject(tooMuch(`${atMost.ms / 1000} s`))
    }, atMost.ms)
    return inThread(text, facts).finally(() => clearTimeout(late))
  }

  return {
    resolve: async (text, facts) => {
      if (charsOf(text, facts) < inlineChars) return resolveUpload(text, facts)
      const resolved = last.then(() => inTime(text, facts))
      last = resolved.catch(() => {})
      return resolved
    },
    stop: async () => {
      await thread?.terminate()
    },
  }
}

/** All characters that are matched against each other, without the default branch's configuration, which was reviewed. */
const charsOf = (text: string, { defaultGraph = '', hostPaths = [] }: UploadFacts): number =>
  hostPaths.reduce((chars, path) => chars + path.length, text.length + defaultGraph.length)

const tooMuch = (what: string): Problem =>
  invalid(
    'config',
    `takes more than ${what} to match against the changed paths and the stacks: use fewer globs, or simpler ones, and fewer instances`,
  )
