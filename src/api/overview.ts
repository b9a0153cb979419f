import { z } from 'zod'
import { Run } from './run.ts'
import { Count } from './scalars.ts'

/** How all that the caller sees stands. */
export const Overview = z
  .object({
    repos: Count,
    stacks: Count,
    drifted: Count,
    locks_held: Count,
    runs_by_status: z.record(z.string(), Count),
    stacks_by_status: z.record(z.string(), Count).describe('Each stack by its status in the newest run that it is in'),
    recent_runs: z.array(Run).optional().describe('The newest first, without their stacks'),
  })
  .meta({ id: 'Overview', description: 'Counts over the repositories that the caller sees' })
