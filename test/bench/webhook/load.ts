import { Worker } from 'node:worker_threads'

/** Deliveries to post: each gets its own id. */
export type Load = {
  address: string
  connections: number
  deliveries: number
  /** The payload and its signature. */
  body: string
  signature: string
}

/** Microseconds a delivery over all connections together, and the time within which 99 of a hundred were answered. */
export type Loaded = { each: number; p99: number }

/** Posts deliveries from its own thread. */
export const deliver = (load: Load): Promise<Loaded> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./load-thread.ts', import.meta.url), { workerData: load })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
