import type { LockRow } from '#db/machines/locks.ts'

/** An entry of `details.conflicts`: who holds a lock since when (docs/interface.md, 'Errors'). */
export const lockConflict = ({ stack_id, stack_key, run_id, pr_number, taken_at }: LockRow) => ({
  stack_id,
  stack_key,
  ...(run_id === null ? {} : { run_id }),
  ...(pr_number === null ? {} : { pr_number }),
  ...(taken_at === null ? {} : { taken_at: taken_at.toISOString() }),
})
