import { z } from 'zod'
import { permitAdministrator } from '#commands/callers/administrator.ts'
import type { PersonOrKey } from '#commands/callers/caller.ts'
import { limitOf, type PageRequest, pageOf, readCursor } from '#commands/shapes/page.ts'
import { present } from '#commands/shapes/shape-run.ts'
import type { QueueRow } from '#db/queue/queue-row.ts'
import { queueRows } from '#db/views/queue-view.ts'
import type { Deps } from '../deps.ts'

type State = 'dead' | 'queued' | 'running'

const Key = z.tuple([z.literal('queue'), z.int().positive()])

/** Events and jobs that were given up, wait or are under way, newest first. */
export const listQueue = async (
  { pool }: Pick<Deps, 'pool'>,
  caller: PersonOrKey,
  asked: PageRequest & { state: State },
) => {
  await permitAdministrator(pool, caller)
  const before = readCursor(asked.cursor, Key)?.[1]
  const limit = limitOf(asked)
  const rows = await queueRows(pool, { state: asked.state, before, limit: limit + 1 })
  return pageOf(rows, limit, { keyOf: (row) => ['queue', row.id], shape: shapeQueueRow })
}

/** A row of the queue as the API shows it: without its payload, which may carry anything. */
export const shapeQueueRow = (row: QueueRow) => ({
  id: row.id,
  queue: row.queue,
  kind: row.kind,
  state: row.state,
  attempt: row.attempt,
  created_at: row.created_at.toISOString(),
  ...present({
    key: row.key,
    delivery_id: row.delivery_id,
    last_error: row.last_error,
    next_run_at: row.state === 'queued' ? row.run_at.toISOString() : undefined,
    finished_at: row.finished_at?.toISOString(),
  }),
})
