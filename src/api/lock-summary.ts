import { z } from 'zod'
import { Timestamp, Uuid } from './scalars.ts'

export const LockInfo = z
  .object({
    stack_id: Uuid,
    stack_key: z.string(),
    run_id: Uuid.optional(),
    pr_number: z.int().optional().describe('Absent if a manual run holds it'),
    taken_at: Timestamp.optional(),
    reason: z.string().optional().describe('In answers to unlock'),
  })
  .meta({ id: 'LockInfo', description: 'The orchestration lock on a stack, whichever run holds it' })

export type LockInfo = z.infer<typeof LockInfo>
