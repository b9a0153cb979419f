import { z } from 'zod'
import { lostReasons } from '#domain/lost-reason.ts'
import { QueueItem } from './queue.ts'
import { Lock } from './repositories/lock.ts'
import { Count, Mode, Timestamp, Uuid } from './scalars.ts'

const ofApply = {
  stack_id: Uuid,
  stack_key: z.string(),
  repo: z.string().describe('owner/name'),
  run_id: Uuid.describe('The apply'),
  pr_number: z.int().optional(),
}

const FailedStack = z
  .object({ ...ofApply, failed_at: Timestamp })
  .meta({ id: 'FailedStack', description: 'A stack that an apply failed on, and whose lock it keeps' })

const UnknownStack = z
  .object({
    ...ofApply,
    unknown_reason: z.enum(lostReasons).optional(),
    unknown_since: Timestamp.optional(),
  })
  .meta({ id: 'UnknownStack', description: 'A stack that an apply may have changed, and nobody saw how' })

const RefusedDispatch = z
  .object({
    id: Uuid,
    run_id: Uuid,
    repo: z.string().describe('owner/name'),
    pr_number: z.int().optional(),
    mode: Mode,
    wave: Count,
    part: z.int(),
    stacks: Count.describe('How many it is to run'),
    refusals: Count,
    message: z.string().describe('What the code host last said'),
    created_at: Timestamp,
    gives_up_at: Timestamp.optional().describe('Then its stacks are unknown'),
  })
  .meta({
    id: 'RefusedDispatch',
    description: 'A dispatch that the code host refused; it is tried again each minute, or when a rate limit allows',
  })

/** Some of what needs somebody, and how many there are in all. */
const few = <T extends z.ZodType>(item: T) => z.object({ total: Count, items: z.array(item) }).optional()

export const Attention = z
  .object({
    failed_stacks: few(FailedStack).describe('The newest first'),
    unknown_stacks: few(UnknownStack).describe('The longest unknown first'),
    orphaned_locks: few(Lock).describe('The longest held first'),
    refused_dispatches: few(RefusedDispatch).describe('The oldest first'),
    dead_items: few(QueueItem).describe('Of the queue, the newest first; for administrators'),
  })
  .meta({ id: 'Attention', description: 'What waits for somebody: the first ten of each' })
