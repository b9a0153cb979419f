import { z } from 'zod'
import { Timestamp } from './scalars.ts'

/** Who did what. */
export const AuditEntry = z
  .object({
    at: Timestamp,
    actor: z.string().describe('Login of a person, `apikey:` and the name of a key, or `system`'),
    action: z.string(),
    target: z.string().describe('`owner/repo`, or `owner/repo//key` of a stack'),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'AuditEntry', description: 'Who did what' })

export type AuditEntry = z.infer<typeof AuditEntry>
