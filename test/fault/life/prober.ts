import { setTimeout as wait } from 'node:timers/promises'
import type { Instance } from './instance.ts'

/** One readiness request to an instance; the answer's status, or undefined without one. */
export type Probe = { from: number; to: number; status: number | undefined }

export type Prober = {
  instance: Instance
  probes: readonly Probe[]
  /** By the last answer. */
  isReady(): boolean
  stop(): Promise<void>
}

const everyMs = 100
/** Longer than the service itself waits for its database. */
const patienceMs = 5000

/** Asks an instance whether it is ready, on a new connection each time, until stopped. */
export const startProber = (instance: Instance): Prober => {
  const probes: Probe[] = []
  const stopped = new AbortController()
  const ask = async (): Promise<number | undefined> => {
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(patienceMs)])
    const headers = { connection: 'close' }
    const answer = await fetch(`${instance.url}/readyz`, { signal, headers }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    return answer?.status
  }
  const loop = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const from = performance.now()
      const status = await ask()
      if (!stopped.signal.aborted) probes.push({ from, to: performance.now(), status })
      await wait(everyMs, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }
  const done = loop()
  return {
    ...{ instance, probes },
    isReady: () => probes.at(-1)?.status === 200,
    stop: () => {
      stopped.abort()
      return done
    },
  }
}
