import type { Bench } from './harness/measure.ts'
import { send } from './load/load.ts'
import { resultRequests } from './load/requests.ts'
import { openPlace, type Place } from './service/place.ts'
import { seededAnalysed } from './service/seeded.ts'

/*
 * Results over 32 connections without a pause, for five minutes or SVC_BENCH_SECONDS, in one run after the other: what one costs in the
 * last fifth of the time, against the first. Both sides are one load, so each further run of the bench is another five minutes.
 */

const seconds = Number(process.env.SVC_BENCH_SECONDS ?? 300)
if (!Number.isInteger(seconds) || seconds < 5) throw new Error('SVC_BENCH_SECONDS must be an integer of at least 5')

const results = 1000

let place: Place
let costs: number[] = []

const load = async (): Promise<void> => {
  costs = []
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const requests = await resultRequests(await seededAnalysed(place.service, results), place.issuer.mint)
    costs.push((await send(place.service.address, 32, requests)).cost)
  }
}

const average = (some: number[]): number => some.reduce((sum, cost) => sum + cost, 0) / some.length
const fifth = (): number => Math.max(1, Math.floor(costs.length / 5))

/** Of one load, which the first of the two that is asked makes. */
const asked = { last: 0, first: 0 }
const cost = (end: 'last' | 'first') => async (): Promise<number> => {
  asked[end] += 1
  if (asked[end] > asked[end === 'last' ? 'first' : 'last']) await load()
  return average(end === 'last' ? costs.slice(-fifth()) : costs.slice(0, fifth()))
}

const bench: Bench = {
  name: 'sustained',
  unit: 'µs/result',
  about:
    'Results over 32 connections for five minutes without a pause: what one costs at the end, against the beginning.',
  ours: 'the last fifth',
  setup: async () => {
    place = await openPlace('sustained')
  },
  contenders: { 'the last fifth': cost('last'), 'the first fifth': cost('first') },
  teardown: () => place.stop(),
}

export default bench
