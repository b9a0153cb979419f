import type { Delivery } from '#emulator/records.ts'
import { stamp } from './node-id.ts'

/** GitHub's hook-delivery-item. */
export const deliveryItemBody = (delivery: Delivery) => ({
  id: delivery.id,
  guid: delivery.guid,
  delivered_at: stamp(delivery.outcome?.deliveredAt ?? new Date(0)),
  redelivery: delivery.redelivery,
  duration: delivery.outcome?.duration ?? 0,
  status: delivery.outcome?.status ?? 'pending',
  status_code: delivery.outcome?.statusCode ?? 0,
  event: delivery.event,
  action: delivery.action,
  installation_id: delivery.installationId,
  repository_id: delivery.repositoryId,
  throttled_at: null,
})

/** GitHub's hook-delivery, with the request and the response. */
export const deliveryBody = (delivery: Delivery) => ({
  ...deliveryItemBody(delivery),
  url: delivery.url,
  request: { headers: delivery.requestHeaders, payload: JSON.parse(delivery.payload) as unknown },
  response: {
    headers: delivery.outcome?.responseHeaders ?? null,
    payload: delivery.outcome?.responseBody ?? null,
  },
})
