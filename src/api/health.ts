import { z } from 'zod'

export const Health = z
  .object({
    status: z.literal('ok'),
    version: z.string().describe('Version of the build'),
    setup_mode: z.literal(true).optional().describe('The app is not configured yet: only setup is served'),
  })
  .meta({ id: 'Health', description: 'The service is alive, or ready' })

export type Health = z.infer<typeof Health>
