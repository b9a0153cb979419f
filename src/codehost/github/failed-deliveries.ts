import { z } from 'zod'
import type { FailedDelivery } from '../port.ts'
import type { Calls } from './client/calls.ts'

// https://docs.github.com/rest/apps/webhooks: newest first, paged by a cursor, kept for three days.
const DeliveriesAnswer = z.array(
  z.object({ id: z.number(), guid: z.string(), delivered_at: z.iso.datetime({ offset: true }) }),
)

const EmptyAnswer = z.unknown()

/**
 * A new attempt is an entry of its own with the guid of the first, and neither entry points to the other. So if anything
 * failed, the deliveries that arrived are listed too, back to the oldest failure; on most days nothing has failed, and one
 * request is enough.
 */
export const listFailedDeliveries = async (calls: Calls, since: Date): Promise<FailedDelivery[]> => {
  const failed = new Map<string, FailedDelivery>()
  const failures = attempts(calls, 'failure', since)
  for await (const attempt of failures) if (!failed.has(attempt.guid)) failed.set(attempt.guid, attempt)
  await dropArrived(calls, failed)
  return [...failed.values()].reverse()
}

/*
 * A repeated delivery is among the newest ones, so the first pages show nearly all of them. Without a limit, a service that
 * missed one delivery of a busy organisation would read three days of them every time. Repeating one that did arrive does no
 * harm, since its guid is known.
 */
const mostArrivals = 1000

const dropArrived = async (calls: Calls, failed: Map<string, FailedDelivery>): Promise<void> => {
  const oldest = [...failed.values()].at(-1)
  if (oldest === undefined) return
  let seen = 0
  for await (const { guid } of attempts(calls, 'success', new Date(oldest.deliveredAt))) {
    failed.delete(guid)
    seen += 1
    if (failed.size === 0 || seen === mostArrivals) return
  }
}

async function* attempts(calls: Calls, status: 'failure' | 'success', since: Date): AsyncGenerator<FailedDelivery> {
  const pages = calls.pages(
    {
      act: `listing deliveries (${status}) of the webhook`,
      route: 'GET /app/hook/deliveries',
      from: 'app',
      parameters: { status },
    },
    DeliveriesAnswer,
  )
  for await (const page of pages) {
    for (const { id, guid, delivered_at: deliveredAt } of page) {
      if (Date.parse(deliveredAt) < since.getTime()) return
      yield { id, guid, deliveredAt }
    }
  }
}

/** Sent once: after a lost answer the next listing shows whether it arrived. */
export const redeliver = async (calls: Calls, deliveryId: number): Promise<boolean> => {
  const made = await calls.find(
    {
      act: `delivering ${deliveryId} of the webhook again`,
      route: 'POST /app/hook/deliveries/{delivery_id}/attempts',
      from: 'app',
      parameters: { delivery_id: deliveryId },
      once: true,
    },
    EmptyAnswer.transform(() => true),
  )
  return made === true
}
