import { z } from 'zod'
import { Count, Timestamp } from './scalars.ts'

export const QueueState = z
  .enum(['dead', 'queued', 'running'])
  .meta({ id: 'QueueState', description: 'Of what is not done' })

export const QueueItem = z
  .object({
    id: z.int(),
    queue: z.enum(['events', 'jobs']).describe('events: webhook deliveries'),
    kind: z.string().describe('The event of a delivery, or what a job does'),
    key: z.string().optional().describe('What it is about: per kind and key, only one waits at a time'),
    delivery_id: z.string().optional(),
    state: z.enum(['dead', 'queued', 'running', 'done']),
    attempt: Count.describe('Tries so far, including the present one'),
    last_error: z.string().optional(),
    next_run_at: Timestamp.optional().describe('While it is queued'),
    created_at: Timestamp,
    finished_at: Timestamp.optional().describe('When it was given up'),
  })
  .meta({ id: 'QueueItem', description: 'An event or a job of the queue, without what it carries' })

export type QueueItem = z.infer<typeof QueueItem>
