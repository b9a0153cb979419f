import type { Bench, Measurement, Sample } from './harness/measure.ts'
import { send } from './load/load.ts'
import { resultRequests } from './load/requests.ts'
import { openPlace, type Place, type Side } from './service/place.ts'
import { seededAnalysed } from './service/seeded.ts'

/*
 * One event is a POST of a result over HTTP, each with its own single-use token, to a run of a pull request. Ours verifies the
 * token, checks the body, goes through the runtime, answers with the stack's row and shows the run at the code host meanwhile;
 * the floor verifies the same tokens and writes the same rows by hand, batched as ours are.
 */

let place: Place

const cost = async (side: Side, connections: number, results: number): Promise<Sample> => {
  const requests = await resultRequests(await seededAnalysed(side, results), place.issuer.mint)
  const sample = await send(side.address, connections, requests)
  await place.idle(1000)
  return sample
}

const over = (connections: number, results: number): Measurement => ({
  ours: 'service',
  setup: async () => {
    place = await openPlace('result')
  },
  contenders: {
    service: () => cost(place.service, connections, results),
    'bare fastify and pg, batched': () => cost(place.floor, connections, results),
  },
  teardown: () => place.stop(),
})

const bench: Bench = {
  name: 'result',
  unit: 'µs/result',
  about:
    'Results over HTTP with single-use tokens, for one run, workers at work; against a bare route that verifies the same tokens and writes the same rows by hand, batched as ours are.',
  groups: {
    '1 connection': over(1, 400),
    '8 connections': over(8, 2000),
    '32 connections': over(32, 3000),
    '128 connections': over(128, 3000),
  },
}

export default bench
