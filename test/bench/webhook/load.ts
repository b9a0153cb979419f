import { Worker } from 'node:worker_threads'

/** Deliveries to post: each gets an id of its own. */
export type Load = {
  address: string
  connections: number
  deliveries: number
  /** The payload and its signature. */
  body: string
  signature: string
}

/** Microseconds a delivery over all connections together, and that within which 99 of a hundred were answered. */
export type Loaded = { each: number; p99: number }

/** Posts deliveries from a thread of its own. */
export const deliver = (load: Load): Promise<Loaded> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./load-thread.ts', import.meta.url), { workerData: load })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
