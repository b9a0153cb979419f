import { lockRuns, setFailure } from '#db/machines/runs.ts'
import { unheardGroups } from '#db/runs/merge-group-runs.ts'
import { transact } from '#db/transact.ts'
import type { Deps } from '../deps.ts'

/** As long as a dispatch waits for its workflow run (docs/interface.md, 'Limits'); the queue itself gives up after an hour by default. */
const patienceMs = 30 * 60_000

const reason =
  'no job of the merge queue has registered within 30 minutes: svc-plan.yml on the default branch must run on merge_group, as the one that svc init writes does'

/**
 * Fails the plan runs of merge groups that no workflow plans: a repository whose workflow is older than its merge queue would wait for
 * `svc/plan` until the queue gives up, and nobody would know why.
 */
export const settleUnheardGroups = async (
  { pool, runtime, clock }: Pick<Deps, 'pool' | 'runtime' | 'clock'>,
  cause: string | null,
): Promise<void> => {
  const ids = await unheardGroups(pool, new Date(+clock.now() - patienceMs))
  for (const id of ids) {
    await transact(pool, async (tx) => {
      const [run] = await lockRuns(tx, [id])
      if (run?.workflow_run_id !== null || run.status !== 'pending') return
      const event = { type: 'resolution.failed', reason } as const
      const [answer] = await runtime.sendAll(tx, [{ to: { kind: 'run', id }, event, actor: 'system', cause }])
      if (answer?.outcome === 'moved') await setFailure(tx, id, reason)
    })
  }
}
