import { z } from 'zod'
import { LockInfo } from './lock-info.ts'
import { RunStatus } from './run.ts'
import { Uuid } from './scalars.ts'

const Waiting = z.object({
  pr_number: z.int(),
  run_id: Uuid.describe('The plan that cannot be applied before the lock is released'),
})

/** A lock that is held, with what a person needs to know before releasing it. */
export const Lock = LockInfo.extend({
  repo: z.string().describe('owner/name'),
  state: z
    .enum(['held.claimed', 'held.changed', 'held.merged', 'held.orphaned', 'held.manual'])
    .describe('Of the lock machine: why it is still held'),
  fence: z.int().describe('Raised by every acquisition'),
  run_status: RunStatus.optional().describe('Of the run that holds it'),
  waiting: z.array(Waiting).optional().describe('Open pull requests whose plan has the stack: the first ten'),
}).meta({ id: 'Lock', description: 'The orchestration lock on a stack while it is held' })

export type Lock = z.infer<typeof Lock>
