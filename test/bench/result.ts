import { type Bench, type Measurement, type Sample, untilWarm } from './harness/measure.ts'
import { send } from './load/load.ts'
import { resultRequests } from './load/requests.ts'
import { openPlace, type Place, type Side } from './service/place.ts'
import { seededAnalysed, seededRuns } from './service/seeded.ts'

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

const between = {
  setup: async () => {
    place = await openPlace('result')
  },
  teardown: () => place.stop(),
}

const over = (connections: number, results: number): Measurement => ({
  ...between,
  warmUps: untilWarm(results),
  ours: 'service',
  contenders: {
    service: () => cost(place.service, connections, results),
    'bare fastify and pg, batched': () => cost(place.floor, connections, results),
  },
})

const measuredOf = 1000

/** So many results at the beginning of runs of so many stacks: the cost of one must not grow with its run. */
const costIn = async (side: Side, stacks: number): Promise<Sample> => {
  const runs = await seededRuns(side, Math.max(1, measuredOf / stacks), stacks)
  const requests = runs.map(({ runId, keys }) =>
    resultRequests({ runId, keys: keys.slice(0, measuredOf) }, place.issuer.mint),
  )
  const sample = await send(side.address, 1, (await Promise.all(requests)).flat())
  await place.idle(1000)
  return sample
}

const size: Measurement = {
  ...between,
  ours: 'a run of 5,000',
  contenders: {
    'a run of 5,000': () => costIn(place.service, 5000),
    'runs of 10': () => costIn(place.service, 10),
  },
}

const bench: Bench = {
  name: 'result',
  unit: 'µs/result',
  about:
    'Results over HTTP with single-use tokens, for one run, workers at work; against a bare route that verifies the same tokens and writes the same rows by hand, batched as ours are; both after 20,000 results. `size`: of the same service by one connection, in a large run, against small ones.',
  groups: {
    '1 connection': over(1, 2000),
    '8 connections': over(8, 2000),
    '32 connections': over(32, 3000),
    '128 connections': over(128, 3000),
    size,
  },
}

export default bench
