import { deliveryBody, deliveryItemBody } from '#emulator/bodies/delivery.ts'
import type { Delivery } from '#emulator/records.ts'
import type { Call } from './serving/call.ts'
import { notFound } from './serving/errors.ts'
import { paginateByCursor } from './serving/pagination.ts'
import { appRoute } from './serving/route.ts'

const deliveryOf = ({ world, params }: Call): Delivery => {
  const delivery = world.store.deliveries.get(Number(params.delivery_id))
  if (!delivery) throw notFound()
  return delivery
}

const failed = ({ outcome }: Delivery): boolean =>
  outcome !== undefined && (outcome.statusCode < 200 || outcome.statusCode > 299)

/** GitHub Docs, 'REST API endpoints for GitHub App webhooks': newest first; a delivery still being sent is not listed. */
export const deliveryRoutes = [
  appRoute('GET', '/app/hook/deliveries', (call) => {
    const ended = [...call.world.store.deliveries.values()].filter((delivery) => delivery.outcome).reverse()
    const { status } = call.query
    const wanted = status === undefined ? ended : ended.filter((one) => failed(one) === (status === 'failure'))
    return paginateByCursor(call, wanted, deliveryItemBody)
  }),

  appRoute('GET', '/app/hook/deliveries/{delivery_id}', (call) => ({ body: deliveryBody(deliveryOf(call)) })),

  appRoute('POST', '/app/hook/deliveries/{delivery_id}/attempts', (call) => {
    call.world.webhooks.redeliver(deliveryOf(call))
    return { status: 202, body: {} }
  }),
]
