import { createBatch } from '#db/batch.ts'
import { isDatabaseDown } from '#db/database-trouble.ts'
import { addDeliveries, type NewDelivery } from '#db/queue/deliveries.ts'
import type { Deps } from '../deps.ts'

/**
 * Queues a webhook delivery whose signature was verified; a worker does the work. The id is the code host's: the same when it
 * is sent again. Rejects with NotJson if the payload is not JSON.
 */
export type ReceiveDelivery = (delivery: NewDelivery) => Promise<'queued' | 'duplicate'>

/**
 * Deliveries in one statement, and statements at once; the longest payloads go alone, so a statement has a few megabytes at
 * most.
 */
const together = { atMost: 16, underWay: 6 }
const longest = 256 * 1024

/**
 * Deliveries that come at about the same time are stored together: each is answered after its commit, and a commit for ten of
 * them waits for the disk once. If one of them cannot be stored, the others are stored without it.
 */
export const createReceiver = ({ pool, runtime }: Pick<Deps, 'pool' | 'runtime'>): ReceiveDelivery => {
  const add = async (deliveries: NewDelivery[]): Promise<(delivery: NewDelivery) => boolean | Promise<boolean>> => {
    try {
      const added = await addDeliveries(pool, deliveries)
      // of two with one id, the first is the new one
      return ({ id }) => added.delete(id)
    } catch (error) {
      if (deliveries.length === 1 || isDatabaseDown(error)) throw error
      return async (delivery) => (await addDeliveries(pool, [delivery])).size === 1
    }
  }
  const addTogether = createBatch(add, together)
  return async (delivery) => {
    const isLong = delivery.payload.length > longest
    const isNew = isLong ? (await addDeliveries(pool, [delivery])).size === 1 : await addTogether(delivery)
    if (!isNew) return 'duplicate'
    runtime.wake()
    return 'queued'
  }
}
