import { z } from 'zod'
import { RunStatus } from '#api/runs/run.ts'
import { heldStates } from '#domain/lock-state.ts'
import { LockInfo } from '../lock-summary.ts'
import { Count, Uuid } from '../scalars.ts'

const Waiting = z.object({
  pr_number: z.int(),
  run_id: Uuid.describe('The plan that cannot be applied before the lock is released'),
})

export const HeldState = z
  .enum(heldStates)
  .meta({ id: 'HeldState', description: 'Of the lock machine: why a lock is still held' })

/** A lock that is held, with what a person needs to know before releasing it. */
export const Lock = LockInfo.extend({
  repo: z.string().describe('owner/name'),
  state: HeldState,
  fence: z.int().describe('Raised by every acquisition'),
  run_status: RunStatus.optional().describe('Of the run that holds it'),
  pr_state: z.enum(['open', 'closed', 'merged']).optional().describe('Of the pull request that holds it'),
  pr_title: z.string().optional(),
  waiting: z.array(Waiting).optional().describe('Open pull requests whose plan includes the stack: the first ten'),
  waiting_total: Count.describe('How many wait'),
}).meta({ id: 'Lock', description: 'The orchestration lock on a stack while it is held' })

export type Lock = z.infer<typeof Lock>
