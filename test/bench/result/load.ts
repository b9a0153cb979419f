import { Worker } from 'node:worker_threads'

export type Request = { path: string; token: string | undefined; body: string }

/** Posts every request over so many connections, from its own thread, and returns the microseconds it took. */
export const post = (address: string, connections: number, requests: Request[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./load-thread.ts', import.meta.url), {
      workerData: { address, connections, requests },
    })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
