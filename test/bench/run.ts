import type { Bench, Measurement, Sample } from './harness/measure.ts'
import { send } from './load/load.ts'
import { resultRequests } from './load/requests.ts'
import { openPlace, type Place, type Side } from './service/place.ts'
import { seededAnalysed } from './service/seeded.ts'

/*
 * GET of a run all of whose stacks have reported a plan, by one connection; against a bare route that selects the run, its rows,
 * results and locks, and sends them as they are.
 */

let place: Place
const runs = new Map<Side, string>()

const reported = async (side: Side, stacks: number): Promise<void> => {
  const run = await seededAnalysed(side, stacks)
  await send(side.address, 32, await resultRequests(run, place.issuer.mint))
  runs.set(side, run.runId)
}

const of = (stacks: number, requests: number): Measurement => {
  const cost = (side: Side): Promise<Sample> => {
    const path = `/v1/runs/${runs.get(side)}`
    return send(
      side.address,
      1,
      Array.from({ length: requests }, () => ({ path, headers: place.asKey })),
    )
  }
  return {
    ours: 'service',
    setup: async () => {
      place = await openPlace('run')
      for (const side of [place.service, place.floor]) await reported(side, stacks)
      await place.idle()
    },
    contenders: { service: () => cost(place.service), 'bare fastify and pg': () => cost(place.floor) },
    teardown: () => place.stop(),
  }
}

const bench: Bench = {
  name: 'run',
  unit: 'µs/request',
  about:
    'GET of a run whose stacks have reported, by one connection; against a bare route that selects the same rows and sends them as they are.',
  groups: { '10 stacks': of(10, 200), '1,000 stacks': of(1000, 20), '5,000 stacks': of(5000, 5) },
}

export default bench
