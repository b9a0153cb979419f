import { fencesOfRun } from '#db/locks.ts'
import type { Tx } from '#db/sql.ts'
import { Problem } from '#errors.ts'
import type { Who } from '#runtime/message.ts'
import type { Runtime } from '#runtime/runtime.ts'

type Asking = {
  runId: string
  /** Absent for a manual run. */
  prNumber?: number | undefined
  /** The pull request is merged: the lock waits for this apply alone. */
  onMerge?: boolean
  /** Seconds until a holder is reminded. */
  remindAfter: number
  at: Date
  who: Who
}

type Conflicts = { conflicts: object[] }

/**
 * Takes the locks of all these stacks for a run, in the order of stack ids, or rejects with 423 and every conflict: the caller's
 * transaction must then be rolled back, so that a refused apply leaves no lock changed. Answers the fence of each by stack id.
 */
export const takeLocks = async (
  runtime: Runtime,
  tx: Tx,
  stackIds: readonly string[],
  asking: Asking,
): Promise<Map<string, number>> => {
  const { runId, prNumber, onMerge, remindAfter, at, who } = asking
  const ids = [...stackIds].sort()
  await runtime.openLocks(tx, ids, who)
  const event = {
    type: 'lock.requested',
    run_id: runId,
    ...(prNumber === undefined ? { manual: true } : { pr_number: prNumber }),
    ...(onMerge ? { on_merge: true } : {}),
    remind_after: remindAfter,
    at: at.toISOString(),
  }
  const answers = await runtime.sendAll(
    tx,
    ids.map((stackId) => ({ to: { kind: 'lock', stackId }, event, ...who })),
  )
  const problems = answers.flatMap(({ problem }) => problem ?? [])
  const [first] = problems
  if (first) throw problems.length === 1 ? first : lockedProblem(problems)
  return fencesOfRun(tx, runId)
}

const lockedProblem = (problems: readonly Problem[]): Problem => {
  const conflicts = problems.flatMap(({ details }) => (details as Conflicts | undefined)?.conflicts ?? [])
  return new Problem(
    'locked',
    `${problems.length} stacks are locked: ${problems.map(({ message }) => message).join('; ')}`,
    {
      details: { conflicts },
    },
  )
}
