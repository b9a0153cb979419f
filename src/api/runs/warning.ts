import { z } from 'zod'
import { Timestamp } from '../scalars.ts'

/** Something people should see; `message` alone is enough for a person. */
export const Warning = z
  .object({
    code: z.string().describe('What sort of warning, for example config_keys_differ or stack_removed'),
    message: z.string(),
    keys: z.array(z.string()).optional().describe('Configuration keys concerned'),
    stacks: z.array(z.string()).optional().describe('Stack keys concerned'),
    at: Timestamp.optional().describe('On runs: when'),
  })
  .meta({ id: 'Warning', description: 'Something people should see' })

export type Warning = z.infer<typeof Warning>
