import { z } from 'zod'
import { MachineTimer } from '../machine.ts'
import { pageOf } from '../page.ts'
import { Count, Timestamp, Uuid } from '../scalars.ts'

const DispatchItem = z
  .object({
    id: Uuid,
    wave: Count,
    part: z.int().positive().describe('A wave of more than 256 stacks goes out in several parts, counted from 1'),
    state: z
      .enum(['requested', 'refused', 'awaiting', 'bound', 'lost', 'completed'])
      .describe('awaiting: sent, and no workflow run has picked it up yet; bound: one has'),
    keys: z.array(z.string()).describe('Of its stacks'),
    workflow_run: z
      .object({ id: z.int(), attempt: z.int().optional(), url: z.string().describe('Its page at the code host') })
      .optional(),
    refusals: Count.optional().describe('How often the code host refused it'),
    refusal: z.string().optional().describe('What the code host last said'),
    created_at: Timestamp,
    sent_at: Timestamp.optional().describe('When the code host took it'),
    bound_at: Timestamp.optional().describe('When this attempt of the workflow run was first heard of'),
    ended_at: Timestamp.optional(),
    timers: z.array(MachineTimer).optional().describe('Its deadlines'),
  })
  .meta({ id: 'Dispatch', description: 'One workflow_dispatch of a run: a wave, or a part of one' })

export const DispatchPage = pageOf(DispatchItem).meta({
  id: 'DispatchPage',
  description: 'Dispatches by wave and part',
})

export type Dispatch = z.infer<typeof DispatchItem>
