import { Worker } from 'node:worker_threads'
import type { Sample } from '../harness/measure.ts'

/** A POST of JSON, or without a body a GET. */
export type Request = { path: string; headers?: Record<string, string>; body?: string }

/**
 * Sends every request over so many connections, from its own thread, and returns the microseconds of one: over all connections
 * together, and as half of them and all but one of a hundred waited at most. An answer of another status than 2xx is an error.
 */
export const send = (address: string, connections: number, requests: Request[]): Promise<Sample> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./load-thread.ts', import.meta.url), {
      workerData: { address, connections, requests },
    })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
