import { createBatch } from '#db/batch.ts'
import { isDatabaseDown } from '#db/database-trouble.ts'
import { type AddedDelivery, addDeliveries, jobsOf, type NewDelivery, type ReadPayloads } from '#db/queue/deliveries.ts'
import type { RequestDeps } from '../deps.ts'

/**
 * Queues a webhook delivery whose signature was verified; a worker does the work. The id is the code host's: the same when it
 * is sent again. Rejects with NotJson if the payload is not JSON.
 */
export type ReceiveDelivery = (delivery: NewDelivery) => Promise<'queued' | 'duplicate'>

type Receiving = Pick<RequestDeps, 'pool' | 'runtime' | 'storeForWorker'>

/**
 * Deliveries in one statement, and statements at once; the longest payloads go alone, so a statement has a few megabytes at
 * most.
 */
const together = { atMost: 16, underWay: 4 }
const longest = 256 * 1024

/**
 * Deliveries that come at about the same time are stored together: each is answered after its commit, and a commit for ten of
 * them waits for the disk once. If one of them cannot be stored, the others are stored without it.
 */
export const createReceiver = ({ pool, runtime, storeForWorker }: Receiving): ReceiveDelivery => {
  const queue = async (deliveries: NewDelivery[]): Promise<Map<string, AddedDelivery>> => {
    const added = await addDeliveries(pool, deliveries)
    if (added.size > 0) runtime.wake()
    return added
  }
  const store = async (deliveries: NewDelivery[]): Promise<Map<string, AddedDelivery>> => {
    let added: Map<string, AddedDelivery> | undefined
    await storeForWorker?.(deliveries.length, async (lease) => {
      const payloads = payloadsOf(deliveries)
      if (!payloads) return []
      added = await addDeliveries(pool, deliveries, lease)
      return jobsOf(added.values(), payloads)
    })
    return added ?? queue(deliveries)
  }
  const add = async (deliveries: NewDelivery[]): Promise<(delivery: NewDelivery) => boolean | Promise<boolean>> => {
    try {
      const added = await store(deliveries)
      // of two with one id, the first is the new one
      return ({ id }) => added.delete(id)
    } catch (error) {
      if (deliveries.length === 1 || isDatabaseDown(error)) throw error
      return async (delivery) => (await queue([delivery])).size === 1
    }
  }
  const addTogether = createBatch(add, together)
  return async (delivery) => {
    const isLong = delivery.payload.length > longest
    const isNew = isLong ? (await queue([delivery])).size === 1 : await addTogether(delivery)
    return isNew ? 'queued' : 'duplicate'
  }
}

/** By the ids, the first of each; undefined if they are long together, or if Postgres must say which is not JSON. */
const payloadsOf = (deliveries: readonly NewDelivery[]): ReadPayloads | undefined => {
  if (deliveries.reduce((sum, { payload }) => sum + payload.length, 0) > longest) return undefined
  try {
    return new Map(
      deliveries.toReversed().map(({ id, event, payload }) => [id, { event, payload: JSON.parse(payload) }]),
    )
  } catch {
    return undefined
  }
}
