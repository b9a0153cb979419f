import type { PersonOrKey } from '#commands/callers/caller.ts'
import { permitSight } from '#commands/callers/permit-sight.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { findRun, type RunRow } from '#db/machines/runs.ts'
import type { Pool } from '#db/sql.ts'
import { Problem } from '#errors.ts'

export type RunReading = Pick<RequestDeps, 'pool' | 'rowsOf'>

/** A run of a repository that the caller sees, and where its rows are read; any other is not there. */
export const visibleRun = async (
  { pool, rowsOf }: RunReading,
  caller: PersonOrKey,
  runId: string,
): Promise<{ run: RunRow; rows: Pool }> => {
  const absent = (): Problem => new Problem('not_found', `run ${runId} does not exist`)
  const run = await findRun(pool, runId)
  if (!run) throw absent()
  await permitSight(pool, caller, run.repo_id, absent)
  return { run, rows: (await rowsOf(runId)).pool }
}
