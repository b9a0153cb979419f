import { z } from 'zod'
import { fencesOfRun } from '#db/machines/locks.ts'
import { ensureStacks, type StackIds } from '#db/repositories/stacks.ts'
import type { Tx } from '#db/sql.ts'
import { Problem } from '#errors.ts'
import type { EventOf, Who } from '#runtime/message.ts'
import type { Runtime } from '#runtime/runtime.ts'

type Asking = {
  runId: string
  /** Absent for a manual run. */
  prNumber?: number | undefined
  /** The pull request is merged: its lock is for this apply alone. */
  onMerge?: boolean
  /** Seconds until a holder is reminded. */
  remindAfter: number
  at: Date
  who: Who
}

const Locked = z.object({
  conflicts: z.array(
    z.object({
      stack_id: z.string(),
      stack_key: z.string(),
      run_id: z.string(),
      pr_number: z.number().optional(),
      taken_at: z.string().optional(),
    }),
  ),
})

/** The locks that a refusal names (docs/interface.md, 'Errors', 423). */
export const conflictsOf = ({ details }: Problem): z.infer<typeof Locked>['conflicts'] =>
  Locked.safeParse(details).data?.conflicts ?? []

/**
 * The ids of stacks by key, each with its lock: those that were never locked get one, free. Before the transaction locks the lock of
 * any stack.
 */
export const openStackLocks = async (
  runtime: Runtime,
  tx: Tx,
  { repoId, keys, who }: { repoId: number; keys: string[]; who: Who },
): Promise<StackIds> => {
  const stackIds = await ensureStacks(tx, repoId, keys)
  await runtime.openLocks(tx, [...stackIds.values()].sort(), who)
  return stackIds
}

/**
 * Takes the locks of all these stacks for a run, in the order of stack ids, or rejects with 423 and every conflict. The
 * caller must then roll back, so a refused apply leaves no lock changed. Returns the fence of each by stack id.
 */
export const takeLocks = async (
  runtime: Runtime,
  tx: Tx,
  stackIds: readonly string[],
  asking: Asking,
): Promise<Map<string, number>> => {
  const { runId, prNumber, onMerge, remindAfter, at, who } = asking
  const ids = [...stackIds].sort()
  const event: EventOf<'lock'> = {
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
  const conflicts = problems.flatMap(conflictsOf)
  return new Problem(
    'locked',
    `${problems.length} stacks are locked: ${problems.map(({ message }) => message).join('; ')}`,
    {
      details: { conflicts },
    },
  )
}
