import { Worker } from 'node:worker_threads'

export type Asked = { method: string; path: string; headers: Record<string, string>; body?: string }

/** Asks one thing after another, at a steady pace, from a thread of its own: it is not late because others are busy here. */
export type OtherCaller = {
  /** Milliseconds of each answer since the last call, and those that were not 200. */
  heard(): Promise<{ times: number[]; refused: string[] }>
  stop(): Promise<unknown>
}

export const startOtherCaller = (address: string, asked: readonly Asked[]): OtherCaller => {
  const thread = new Worker(new URL('./other-caller-thread.ts', import.meta.url), { workerData: { address, asked } })
  thread.on('error', (error) => {
    throw error
  })
  return {
    heard: () =>
      new Promise((resolve) => {
        thread.once('message', resolve)
        thread.postMessage('tell')
      }),
    stop: () => thread.terminate(),
  }
}
