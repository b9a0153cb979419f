import { z } from 'zod'
import type { ConvertManifest } from '../manifest.ts'
import { type ClientOptions, createClient } from './client/app.ts'
import { createCalls } from './client/calls.ts'

const Conversion = z.object({
  id: z.number(),
  name: z.string(),
  html_url: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
  webhook_secret: z.string().nullish(),
  pem: z.string(),
})

/**
 * POST /app-manifests/{code}/conversions (GitHub Docs, 'Registering a GitHub App from a manifest'). It needs no credentials:
 * the code is one. Sent once, since a code whose answer was lost is used up.
 */
export const createManifestConversion = (options: ClientOptions): ConvertManifest => {
  const Client = createClient({ ...options, paced: false })
  return async (code, cause) => {
    const call = {
      act: 'making the app',
      route: 'POST /app-manifests/{code}/conversions',
      from: 'app',
      parameters: { code },
      once: true,
    } as const
    const made = await createCalls({ clientOf: () => new Client() }, cause).find(call, Conversion)
    return (
      made && {
        id: made.id,
        name: made.name,
        url: made.html_url,
        clientId: made.client_id,
        clientSecret: made.client_secret,
        webhookSecret: made.webhook_secret ?? null,
        privateKey: made.pem,
      }
    )
  }
}
