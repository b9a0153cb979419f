import { z } from 'zod'
import { Attention } from './attention.ts'
import { Run } from './runs/run.ts'
import { Count } from './scalars.ts'

/** The state of everything that the caller sees. */
export const Overview = z
  .object({
    repos: Count,
    stacks: Count,
    drifted: Count,
    locks_held: Count,
    runs_by_status: z.record(z.string(), Count),
    stacks_by_status: z.record(z.string(), Count).describe('Each stack by its status in the newest run that it is in'),
    recent_runs: z.array(Run).optional().describe('Newest first, without their stacks'),
    open_runs: z
      .object({ total: Count, items: z.array(Run) })
      .optional()
      .describe(
        'Runs that are not over: the newest twenty, without their stacks but with `counts` and `by_wave`, and how many there are',
      ),
    attention: Attention.optional(),
  })
  .meta({ id: 'Overview', description: 'Counts over the repositories that the caller sees' })

export type Overview = z.infer<typeof Overview>
