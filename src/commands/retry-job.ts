import { addAudit } from '#db/audit.ts'
import { besideNewWishes } from '#db/job-leases.ts'
import { transact } from '#db/transact.ts'
import { lockQueueRow, type QueueRow, requeue } from '#db/views/queue-view.ts'
import { Problem } from '#errors.ts'
import { actorOf, type PersonOrKey } from './caller.ts'
import type { Deps } from './deps.ts'
import { shapeQueueRow } from './list-queue.ts'
import { permitAdministrator } from './people/administrator.ts'

/** Queues an event or a job again that was given up, and notes who did. */
export const retryJob = async (deps: Pick<Deps, 'pool' | 'clock' | 'runtime'>, caller: PersonOrKey, id: number) => {
  await permitAdministrator(deps.pool, caller)
  const row = await besideNewWishes(() => retried(deps, caller, id))
  deps.runtime.wake()
  return shapeQueueRow(row)
}

const retried = ({ pool, clock }: Pick<Deps, 'pool' | 'clock'>, caller: PersonOrKey, id: number): Promise<QueueRow> =>
  transact(pool, async (tx) => {
    const row = await lockQueueRow(tx, id)
    if (!row) throw new Problem('not_found', `the queue has no ${id}`)
    if (row.state !== 'dead') throw new Problem('conflict', `it is ${row.state}: only what is dead can be tried again`)
    const now = clock.now()
    const { queue, kind, key, last_error: error, repo } = row
    const details = { queue, kind, ...(key && { key }), ...(error && { error }), ...(repo && { repo }) }
    await addAudit(tx, [{ at: now, actor: actorOf(caller), action: 'queue_retry', target: `queue:${id}`, details }])
    return requeue(tx, row, now)
  })
