import { z } from 'zod'
import { heldStates } from '#domain/lock-state.ts'
import { LockInfo } from '../lock-summary.ts'
import { Uuid } from '../scalars.ts'

/** The lock on a stack of a run, as the run shows it. */
export const RunStackLock = LockInfo.omit({ reason: true })
  .extend({
    state: z
      .enum(heldStates)
      .optional()
      .describe('Of the lock machine: why it is still held; not in the answer to a result'),
    waiting: z
      .array(z.object({ pr_number: z.int(), run_id: Uuid.describe('The plan that cannot be applied before') }))
      .optional()
      .describe('Open pull requests whose plan has the stack, the first ten; only where one row is read'),
  })
  .meta({ id: 'RunStackLock', description: 'The orchestration lock on a stack as it is now, whichever run holds it' })
