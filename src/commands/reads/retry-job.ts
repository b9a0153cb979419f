import { permitAdministrator } from '#commands/callers/administrator.ts'
import { accountOf, actorOf, type PersonOrKey } from '#commands/callers/caller.ts'
import { addAudit } from '#db/people/audit.ts'
import { besideNewJobs } from '#db/queue/job-leases.ts'
import type { QueueRow } from '#db/queue/queue-row.ts'
import { lockQueueRow, requeue } from '#db/queue/retried-jobs.ts'
import { transact } from '#db/transact.ts'
import { Problem } from '#errors.ts'
import type { Deps } from '../deps.ts'
import { shapeQueueRow } from './list-queue.ts'

/** Queues an event or job that was given up again, and records who asked. */
export const retryJob = async (deps: Pick<Deps, 'pool' | 'clock' | 'runtime'>, caller: PersonOrKey, id: number) => {
  await permitAdministrator(deps.pool, caller)
  const row = await besideNewJobs(() => retried(deps, caller, id))
  deps.runtime.wake()
  return shapeQueueRow(row)
}

const retried = ({ pool, clock }: Pick<Deps, 'pool' | 'clock'>, caller: PersonOrKey, id: number): Promise<QueueRow> =>
  transact(pool, async (tx) => {
    const row = await lockQueueRow(tx, id)
    if (!row) throw new Problem('not_found', `the queue has no ${id}`)
    if (row.state !== 'dead')
      throw new Problem('conflict', `it is ${row.state}: only dead events and jobs can be tried again`)
    const now = clock.now()
    const { queue, kind, key, last_error: error, repo } = row
    const details = { queue, kind, ...(key && { key }), ...(error && { error }), ...(repo && { repo }) }
    await addAudit(tx, [
      {
        at: now,
        actor: actorOf(caller),
        actor_id: accountOf(caller) ?? null,
        action: 'queue_retry',
        target: `queue:${id}`,
        details,
      },
    ])
    return requeue(tx, row, now)
  })
