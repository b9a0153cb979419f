import { isAdministrator } from '#commands/callers/administrator.ts'
import type { PersonOrKey } from '#commands/callers/caller.ts'
import { sightOf } from '#commands/callers/person.ts'
import { present } from '#commands/shapes/shape-run.ts'
import type { Pool } from '#db/sql.ts'
import {
  type FailedStack,
  failedStacks,
  type RefusedDispatch,
  refusedDispatches,
  type UnknownStack,
  unknownStacks,
} from '#db/views/attention-view.ts'
import { countHeld, heldLocks } from '#db/views/lock-view.ts'
import { countDead, queueRows } from '#db/views/queue-view.ts'
import type { Sight } from '#db/visibility.ts'
import { shapeLocks } from './list-locks.ts'
import { shapeQueueRow } from './list-queue.ts'

const shown = 10

/** What waits for somebody, of all that the caller sees (docs/interface.md, 'Overview'): the first of each, and how many there are. */
export const readAttention = async (pool: Pool, caller: PersonOrKey) => {
  const sight = sightOf(caller)
  const [failed, unknown, locks, dispatches, dead] = await Promise.all([
    failedStacks(pool, sight, shown),
    unknownStacks(pool, sight, shown),
    orphanedLocks(pool, sight),
    refusedDispatches(pool, sight, shown),
    deadItems(pool, caller),
  ])
  return present({
    failed_stacks: few(failed[0]?.total ?? 0, failed.map(shapeFailed)),
    unknown_stacks: few(unknown[0]?.total ?? 0, unknown.map(shapeUnknown)),
    orphaned_locks: few(locks.total, locks.items),
    refused_dispatches: few(dispatches[0]?.total ?? 0, dispatches.map(shapeDispatch)),
    dead_items: few(dead.total, dead.items),
  })
}

const few = <T>(total: number, items: T[]): { total: number; items: T[] } | undefined =>
  items.length === 0 ? undefined : { total, items }

const orphanedLocks = async (pool: Pool, sight: Sight) => {
  const filter = { state: 'held.orphaned' } as const
  const [total, locks] = await Promise.all([
    countHeld(pool, sight, filter),
    heldLocks(pool, { sight, filter, after: undefined, limit: shown }),
  ])
  return { total, items: await shapeLocks(pool, locks) }
}

/** What the queue gave up concerns the whole service, and its texts may name anything. */
const deadItems = async (pool: Pool, caller: PersonOrKey) => {
  if (!(await isAdministrator(pool, caller))) return { total: 0, items: [] }
  const [total, rows] = await Promise.all([
    countDead(pool),
    queueRows(pool, { state: 'dead', before: undefined, limit: shown }),
  ])
  return { total, items: rows.map(shapeQueueRow) }
}

const shapeFailed = ({ total: _, pr_number, failed_at, ...stack }: FailedStack) => ({
  ...stack,
  failed_at: failed_at.toISOString(),
  ...present({ pr_number }),
})

const shapeUnknown = ({ total: _, pr_number, unknown_reason, unknown_since, ...stack }: UnknownStack) => ({
  ...stack,
  ...present({ pr_number, unknown_reason, unknown_since: unknown_since?.toISOString() }),
})

const shapeDispatch = ({ total: _, pr_number, created_at, gives_up_at, ...dispatch }: RefusedDispatch) => ({
  ...dispatch,
  created_at: created_at.toISOString(),
  ...present({ pr_number, gives_up_at: gives_up_at?.toISOString() }),
})
