import { timeOfNextRun } from '#db/machines/runs.ts'
import { noteNewRows } from '#db/machines/stack-standings.ts'
import type { Tx } from '#db/sql.ts'
import { forOwnerOfKnown } from '#db/whose.ts'
import { compactWaves } from '#domain/resolution/compact-waves.ts'
import type { Who } from '#runtime/message.ts'
import type { Deps } from '../deps.ts'
import { beginRun, type Patience } from './begin-run.ts'
import { type PlacedStack, placeStacks } from './place-stacks.ts'
import { takeLocks } from './take-locks.ts'

/** An apply that may begin: what it changes, for whom, and by which graph. */
export type Apply = {
  repoId: number
  /** Absent for a manual run: the service dispatches nothing for it, its caller runs the tool and reports. */
  prNumber?: number | undefined
  sha: string
  baseSha: string | null
  trigger: 'comment' | 'push' | 'manual'
  requestedBy: string
  graphId: string
  /** Each with its wave, its environment and the plan run that it applies. */
  stacks: readonly PlacedStack[]
  /** Their ids by key, each with its lock (take-locks.ts). */
  stackIds: ReadonlyMap<string, string>
  /** Seconds until the holder of its locks is reminded. */
  remindAfter: number
  who: Who
} & Patience

/**
 * Begins an apply run: its locks, its rows and its first wave, all in the caller's transaction. Rejects with 423 and every
 * conflict if another run holds a lock; the caller must then roll back. The caller has judged the gate, and holds the row of
 * the pull request.
 */
export const beginApply = async (deps: Pick<Deps, 'runtime' | 'clock'>, tx: Tx, apply: Apply): Promise<string> => {
  const { runtime, clock } = deps
  const { repoId, prNumber, trigger, stackIds, who } = apply
  const own = await forOwnerOfKnown(tx, { repositories: [repoId] })
  const keys = apply.stacks.map((stack) => stack.key)
  const row = {
    repo_id: repoId,
    pr_number: prNumber ?? null,
    sha: apply.sha,
    base_sha: apply.baseSha,
    mode: 'apply' as const,
    trigger,
    requested_by: apply.requestedBy,
    workflow_run_id: null,
    workflow_run_attempt: null,
    graph_id: apply.graphId,
    created_at: await timeOfNextRun(own, repoId, prNumber ?? null, clock.now()),
  }
  const runId = await beginRun(runtime, own, row, {
    ...who,
    runnerTimeout: apply.runnerTimeout,
    asksWindows: apply.asksWindows,
  })
  const fences = await takeLocks(runtime, own, [...stackIds.values()], {
    runId,
    prNumber,
    onMerge: trigger === 'push',
    remindAfter: apply.remindAfter,
    at: clock.now(),
    who,
  })
  const stacks = compactWaves(apply.stacks).map((stack) => ({
    ...stack,
    fence: fences.get(stackIds.get(stack.key) ?? ''),
  }))
  const run = { id: runId, repoId, mode: row.mode }
  const tallies = await placeStacks(runtime, own, { run, stacks, keys, who })
  await noteNewRows(own, runId)
  const event = { type: 'apply.requested', tallies } as const
  const [sent] = await runtime.sendAll(own, [{ to: { kind: 'run', id: runId }, event, ...who }])
  if (sent?.problem) throw sent.problem
  return runId
}
