import { z } from 'zod'
import { stackStatuses } from '#domain/run-status.ts'
import { attentionKinds } from '#domain/texts/attention.ts'
import { Count, Timestamp, Uuid } from '../scalars.ts'
import { Summary } from '../summary.ts'

export const StackCounts = z
  .partialRecord(z.enum(stackStatuses), Count)
  .meta({ id: 'StackCounts', description: 'Numbers of stacks by status; a status without stacks is left out' })

export const WaveStanding = z
  .object({
    wave: Count,
    counts: StackCounts,
    started_at: Timestamp.optional().describe('When its first stack began'),
    finished_at: Timestamp.optional().describe('When its last stack ended; absent while one is open'),
  })
  .meta({ id: 'WaveStanding', description: 'The stacks of one wave' })

export const Totals = Summary.omit({ added: true, changed: true, destroyed: true, replaced: true })
  .required()
  .meta({ id: 'Totals', description: 'The summaries of all stacks of a run, added up' })

export const Attention = z
  .object({
    kind: z.enum(attentionKinds),
    text: z.string().describe('A sentence without markup, enough for a person'),
    stack_key: z.string().optional(),
    check: z.string().optional().describe('Name of the check that failed'),
    code: z.string().optional().describe('Of the warning'),
    locked_by: z.object({ run_id: Uuid, pr_number: z.int().optional() }).optional().describe('Who holds the lock'),
  })
  .meta({ id: 'RunAttention', description: 'Something in a run that a person has to look at' })
