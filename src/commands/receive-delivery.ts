import { addDelivery } from '#db/jobs.ts'
import type { Deps } from './deps.ts'

export type Delivery = {
  /** The code host's id of the delivery: the same when it is sent again. */
  id: string
  event: string
  /** The payload's JSON text. */
  payload: string
}

/** Queues a webhook delivery whose signature was verified; the work itself is a worker's. */
export const receiveDelivery = async (
  deps: Pick<Deps, 'pool' | 'runtime'>,
  delivery: Delivery,
): Promise<'queued' | 'duplicate'> => {
  const added = await addDelivery(deps.pool, { ...delivery, lane: null })
  if (!added) return 'duplicate'
  deps.runtime.wake()
  return 'queued'
}
