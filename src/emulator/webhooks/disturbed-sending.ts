import { setTimeout as delay } from 'node:timers/promises'
import type { FaultBook } from '#emulator/faults/faults.ts'
import type { Delivery } from '#emulator/records.ts'
import type { Store } from '#emulator/store.ts'

export type DisturbedSending = {
  /** Queues a delivery, unless a fault interferes. */
  send(delivery: Delivery, payload: Record<string, unknown>): void
  /** Queues the deliveries held back until others have gone, and waits for the delayed ones. */
  release(): Promise<void>
}

/** What faults do to deliveries between the event and the queue; redeliveries do not pass through here. */
export const createDisturbedSending = (
  faults: FaultBook,
  wanted: { store: Store; clock: () => Date; enqueue: (delivery: Delivery) => void; stop: AbortSignal },
): DisturbedSending => {
  const { store, clock, enqueue, stop } = wanted
  const delayed = new Set<Promise<void>>()
  let held: { delivery: Delivery; behind: number }[] = []

  const pass = (delivery: Delivery): void => {
    enqueue(delivery)
    for (const one of held) one.behind -= 1
    const due = held.filter(({ behind }) => behind <= 0)
    held = held.filter(({ behind }) => behind > 0)
    for (const one of due) enqueue(one.delivery)
  }

  const later = (delivery: Delivery, ms: number): void => {
    const done = delay(ms, undefined, { signal: stop })
      .then(() => pass(delivery))
      .catch(() => {})
      .finally(() => delayed.delete(done))
    delayed.add(done)
  }

  const lose = (delivery: Delivery): void => {
    const outcome = { deliveredAt: clock(), duration: 0, status: 'failed to connect to host', statusCode: 0 }
    store.deliveries.set(delivery.id, { ...delivery, outcome: { ...outcome, responseHeaders: {}, responseBody: '' } })
  }

  return {
    send: (delivery, payload) => {
      const effect = faults.onWebhook(delivery.event, payload)
      if (effect === 'lose') lose(delivery)
      if (effect === undefined || effect === 'double') pass(delivery)
      if (effect === 'double') pass({ ...delivery, id: store.newId() })
      if (typeof effect !== 'object') return
      if ('delayMs' in effect) later(delivery, effect.delayMs)
      else held.push({ delivery, behind: effect.behind })
    },
    release: async () => {
      await Promise.all(delayed)
      for (const { delivery } of held.splice(0)) enqueue(delivery)
    },
  }
}
