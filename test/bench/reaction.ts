import { setTimeout as wait } from 'node:timers/promises'
import type { Bench, Measurement, Sample } from './harness/measure.ts'
import { send } from './load/load.ts'
import { deliveryRequests, resultRequests } from './load/requests.ts'
import { startServiceProcess } from './memory/service-process.ts'
import { openPlace, type Place, webhookSecret } from './service/place.ts'
import { seededAnalysed } from './service/seeded.ts'

/*
 * How soon the service does something when it is asked alone: from the sending of a result until its first check run is at the
 * code host, from a delivery of a pull request until that is read at the code host; and from the start of a process until it
 * listens. The code host answers at once and remembers nothing.
 */

const times = 5
/** The code host is written to once a second: the next one must not wait for that. */
const quietMs = 2500

let place: Place
let heard: (method: string, path: string) => void = () => {}

const open = async (): Promise<void> => {
  place = await openPlace('reaction', { heard: (method, path) => heard(method, path) })
}

/** From now until the code host hears such a request. */
const until = async (
  isMeant: (method: string, path: string) => boolean,
  act: () => Promise<unknown>,
): Promise<number> => {
  await place.idle()
  await wait(quietMs)
  const began = performance.now()
  const came = new Promise<number>((resolve) => {
    heard = (method, path) => isMeant(method, path) && resolve(performance.now() - began)
  })
  await act()
  return came
}

const sampled = async (once: () => Promise<number>): Promise<Sample> => {
  const took: number[] = []
  for (let n = 0; n < times; n += 1) took.push(await once())
  took.sort((a, b) => a - b)
  const within = (share: number): number => took[Math.floor(took.length * share)] ?? 0
  return { cost: within(0.5), p50: within(0.5), p99: within(0.99) }
}

const ofResult = async (): Promise<number> => {
  const requests = await resultRequests(await seededAnalysed(place.service, 1), place.issuer.mint)
  const isCheck = (method: string, path: string): boolean => method !== 'GET' && path.includes('/check-runs')
  return until(isCheck, () => send(place.service.address, 1, requests))
}

let pulls = 1000

const ofDelivery = async (): Promise<number> => {
  const [request] = deliveryRequests(1, 10_000, webhookSecret, { repository: 1, number: ++pulls })
  const isRead = (method: string, path: string): boolean => method === 'GET' && path.endsWith(`/pulls/${pulls}`)
  return until(isRead, () => send(place.service.address, 1, request ? [request] : []))
}

const start = async (): Promise<number> => {
  const began = performance.now()
  const started = await startServiceProcess(place.service)
  const took = performance.now() - began
  await started.stop()
  return took
}

const alone = (service: () => Promise<number | Sample>): Measurement => ({
  ours: 'service',
  setup: open,
  contenders: { service },
  teardown: () => place.stop(),
})

const bench: Bench = {
  name: 'reaction',
  unit: 'ms',
  about:
    'One thing at a time: from a result until its first check run is at the code host, from a delivery until its pull request is read there, and from the start of a process, from its sources, until it listens.',
  groups: {
    'result to check run': alone(() => sampled(ofResult)),
    'webhook to code host': alone(() => sampled(ofDelivery)),
    'cold start': alone(start),
  },
}

export default bench
