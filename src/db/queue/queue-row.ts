import { z } from 'zod'
import { sql } from '../sql.ts'

export const QueueRow = z.object({
  id: z.number(),
  queue: z.enum(['events', 'jobs']),
  kind: z.string(),
  key: z.string().nullable(),
  delivery_id: z.string().nullable(),
  state: z.enum(['dead', 'queued', 'running', 'done']),
  attempt: z.number(),
  last_error: z.string().nullable(),
  run_at: z.date(),
  created_at: z.date(),
  finished_at: z.date().nullable(),
})

/** A row of the queue as administrators see it: without its payload. */
export type QueueRow = z.infer<typeof QueueRow>

export const queueColumns = sql.fragment`
  id, queue, kind, key, delivery_id, state, attempt, last_error, run_at, created_at, finished_at`
