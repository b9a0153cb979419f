import { type Bench, type Measurement, type Sample, untilWarm } from './harness/measure.ts'
import { send } from './load/load.ts'
import { deliveryRequests } from './load/requests.ts'
import { openPlace, type Place, type Side, webhookSecret } from './service/place.ts'

/*
 * Deliveries of a pull request, each with its own id, to the service's own route, whose workers handle them meanwhile; against a
 * bare fastify route that verifies the same signature and stores one row, several with one INSERT where they come together.
 * Both answer after the commit. No repository that the deliveries name is installed, so handling one ends after reading it.
 */

let place: Place

type Load = { bytes: number; connections: number; deliveries: number }

const cost = async (side: Side, { bytes, connections, deliveries }: Load): Promise<Sample> => {
  const sample = await send(side.address, connections, deliveryRequests(deliveries, bytes, webhookSecret))
  await place.idle()
  return sample
}

const measured = (load: Load): Measurement => ({
  warmUps: untilWarm(load.deliveries),
  setup: async () => {
    place = await openPlace('webhook')
  },
  ours: 'service',
  contenders: {
    service: () => cost(place.service, load),
    'bare fastify and pg, batched': () => cost(place.floor, load),
  },
  teardown: () => place.stop(),
})

const small = { bytes: 10_000, deliveries: 3000 }

const bench: Bench = {
  name: 'webhook',
  unit: 'µs/delivery',
  about:
    'Webhooks of a pull request, workers at work; against a bare route that verifies the signature and stores the delivery, with one INSERT for those that come together; both after 20,000 deliveries.',
  groups: {
    '10 KB, 1 connection': measured({ ...small, deliveries: 2000, connections: 1 }),
    '10 KB, 8 connections': measured({ ...small, connections: 8 }),
    '10 KB, 32 connections': measured({ ...small, connections: 32 }),
    '10 KB, 128 connections': measured({ ...small, connections: 128 }),
    '100 KB, 8 connections': measured({ bytes: 100_000, deliveries: 1000, connections: 8 }),
  },
}

export default bench
