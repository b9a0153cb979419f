import type { Bench, Measurement } from './harness/measure.ts'
import { type Request, send } from './load/load.ts'
import { resultRequests } from './load/requests.ts'
import { openPlace, type Place } from './service/place.ts'
import { seededAnalysed } from './service/seeded.ts'

/* The same results over 32 connections to one instance, and to two that share them, on the same two cores. */

const connections = 32

let place: Place

/** Microseconds a result, of so many runs, through so many instances. */
const cost = async (runs: number, results: number, instances: number): Promise<number> => {
  const all: Request[] = []
  for (let run = 0; run < runs; run += 1)
    all.push(...(await resultRequests(await seededAnalysed(place.service, results / runs), place.issuer.mint)))
  const began = performance.now()
  await Promise.all(
    place.service.processes.slice(0, instances).map(({ address }, index) =>
      send(
        address,
        connections / instances,
        all.filter((_, at) => at % instances === index),
      ),
    ),
  )
  const took = performance.now() - began
  await place.idle()
  return (took * 1000) / all.length
}

const of = (runs: number, results: number): Measurement => ({
  ours: 'two instances',
  setup: async () => {
    place = await openPlace('instances', { instances: 2 })
  },
  contenders: {
    'two instances': () => cost(runs, results, 2),
    'one instance': () => cost(runs, results, 1),
  },
  teardown: () => place.stop(),
})

const bench: Bench = {
  name: 'instances',
  unit: 'µs/result',
  about: 'Results over 32 connections to two instances, against the same to one of them, on the same cores.',
  groups: { 'one run': of(1, 3000), '20 runs': of(20, 3000) },
}

export default bench
