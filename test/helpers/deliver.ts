import { createHmac, randomUUID } from 'node:crypto'
import type { World } from './world.ts'

/** Sends a delivery as GitHub would, signed with the app's secret, and returns the answer. */
export const deliver = (
  { service, github }: Pick<World, 'service' | 'github'>,
  event: string,
  payload: object,
  id: string = randomUUID(),
): Promise<Response> => {
  const body = JSON.stringify(payload)
  const signature = createHmac('sha256', github.app.webhookSecret).update(body).digest('hex')
  return fetch(`${service.url}/webhooks/codehost`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': id,
      'x-hub-signature-256': `sha256=${signature}`,
    },
    body,
  })
}
