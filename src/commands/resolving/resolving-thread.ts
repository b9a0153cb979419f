import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { limits } from '#domain/limits.ts'
import { invalid, Problem } from '#errors.ts'
import { TooSlow } from '#portions.ts'
import { type PackedRecorded, unpackRecorded } from './packed-recorded.ts'
import { type PackedUpload, unpackUpload } from './packed-upload.ts'
import type { Recorded, ResolvedRecorded, Wanted } from './resolve-recorded.ts'
import type { UploadAnswer, UploadFacts } from './resolve-upload.ts'

export type Packed = PackedUpload | PackedRecorded

/** What the thread says: once that it is loaded, then an answer to each question. */
export type ThreadAnswer = 'ready' | { resolved: Packed } | { error: unknown }

/**
 * `ms` of processor time: on a busy machine the same upload waits for its turns, and is no worse for that. `priority` as nice(2) has
 * it: 0, or up to 19 for what may wait.
 */
export type ThreadLimits = { ms: number; megabytes: number; priority: number }

export type ResolvingThread = {
  /** One at a time. Rejects with TooSlow if it takes too long, with a Problem if it takes too much memory. */
  resolve(bytes: Uint8Array, facts: UploadFacts): Promise<UploadAnswer>
  /** The same for a graph that is recorded. */
  resolveRecorded(recorded: Recorded, wanted: Wanted): Promise<ResolvedRecorded>
  /** Ends the thread until there is something to resolve: an idle one keeps some 20 MB. */
  rest(): void
  stop(): Promise<void>
}

type Started = { worker: Worker; isReady: boolean; shared: Uint8Array }

type Asked = { begun(): void; resolve(resolved: Packed): void; reject(error: unknown): void }

/** Beside this file: .ts among the sources, .mjs in the bundle. */
const threadFile = new URL(`./resolver-thread${extname(import.meta.filename)}`, import.meta.url)

/**
 * What a thread begins with. An upload is written into memory that both have: in a message 8 MB are copied twice, each time into memory that is
 * new to the process, which took some 0.1 s. It is touched as far as uploads are long.
 */
export type ThreadData = { priority: number; shared: Uint8Array }

/** What it is asked: to resolve so many bytes of an upload, or what is recorded, which is seldom asked and comes in the message. */
export type ThreadQuestion = UploadQuestion | RecordedQuestion
type UploadQuestion = { length: number; facts: UploadFacts }
type RecordedQuestion = { recorded: Recorded; wanted: Wanted }

/** Beside the bound; 48 by default. */
const youngMegabytes = 16

/**
 * A thread for what must not hold the event loop. It starts with the first question; if it dies, or takes more than `atMost`, that
 * one is refused and the next one starts another.
 */
export const createResolvingThread = (atMost: ThreadLimits): ResolvingThread => {
  let thread: Started | undefined
  let asked: Asked | undefined

  /** What a thread says that was given up matters to nobody. */
  const start = (): Started => {
    const resourceLimits = { maxOldGenerationSizeMb: atMost.megabytes, maxYoungGenerationSizeMb: youngMegabytes }
    const shared = new Uint8Array(new SharedArrayBuffer(limits.graphBodyBytes))
    const workerData: ThreadData = { priority: atMost.priority, shared }
    const worker = new Worker(threadFile, { resourceLimits, workerData })
    const started = { worker, isReady: false, shared }
    const isOurs = (): boolean => thread === started
    worker.unref()
    worker.on('message', (answer: ThreadAnswer) => {
      if (!isOurs()) return
      if (answer === 'ready') {
        started.isReady = true
        asked?.begun()
      } else if ('resolved' in answer) asked?.resolve(answer.resolved)
      else asked?.reject(answer.error)
    })
    const ended = (error: unknown): void => {
      if (!isOurs()) return
      thread = undefined
      asked?.reject(error)
    }
    worker.on('error', (error) => {
      const isFull = (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY'
      ended(isFull ? tooMuch(`${atMost.megabytes} MB`) : error)
    })
    worker.on('exit', () => ended(new Problem('unavailable', 'the service stops: try again')))
    return started
  }

  const rest = (): void => {
    void thread?.worker.terminate()
    thread = undefined
  }
  const giveUp = (): void => {
    rest()
    asked?.reject(new TooSlow())
  }

  const ask = (question: ThreadQuestion, bytes: Uint8Array = new Uint8Array()): Promise<Packed> => {
    let calledOff = (): void => {}
    return new Promise<Packed>((resolve, reject) => {
      // the start of a thread is not the question's time
      const begun = (): void => {
        if (thread) calledOff = watch(thread.worker, atMost.ms, giveUp)
      }
      asked = { begun, resolve, reject }
      thread ??= start()
      if (thread.isReady) begun()
      thread.shared.set(bytes)
      thread.worker.postMessage(question)
    }).finally(() => calledOff())
  }

  return {
    resolve: async (bytes, facts) => unpackUpload((await ask({ length: bytes.length, facts }, bytes)) as PackedUpload),
    resolveRecorded: async (recorded, wanted) => unpackRecorded((await ask({ recorded, wanted })) as PackedRecorded),
    rest,
    stop: async () => {
      await thread?.worker.terminate()
    },
  }
}

/** Gives up once so much processor time is used from now on; returns what calls that off. */
const watch = (worker: Worker, ms: number, giveUp: () => void): (() => void) => {
  let late: NodeJS.Timeout | undefined
  let isOver = false
  const begun = used(worker)
  const look = async (): Promise<void> => {
    const left = ms - ((await used(worker)) - (await begun))
    if (isOver) return
    if (left <= 0) giveUp()
    else late = setTimeout(look, left + 1)
  }
  late = setTimeout(look, ms)
  return () => {
    isOver = true
    clearTimeout(late)
  }
}

/** Milliseconds of processor time; of a thread that has ended, more than there may be. */
const used = async (worker: Worker): Promise<number> => {
  try {
    const { user, system } = await worker.cpuUsage()
    return (user + system) / 1000
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** 400 that says of what an upload takes too much. */
export const tooMuch = (what: string): Problem =>
  invalid(
    'config',
    `takes more than ${what} to match against the changed paths and the stacks: use fewer globs, or simpler ones, and fewer instances`,
  )
