import type { PersonOrKey } from '#commands/callers/caller.ts'
import { permitSight } from '#commands/callers/permit-sight.ts'
import type { Deps } from '#commands/deps.ts'
import { findRun, type RunRow } from '#db/machines/runs.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import { Problem } from '#errors.ts'

export type GatedRun = { run: RunRow; repository: Repository }

/** A run that goes through the gate, as far as the caller sees it. */
export const gatedRun = async (
  { pool, findRepository }: Pick<Deps, 'pool' | 'findRepository'>,
  caller: PersonOrKey,
  runId: string,
): Promise<GatedRun> => {
  const absent = () => new Problem('not_found', `run ${runId} does not exist`)
  const run = await findRun(pool, runId)
  const repository = run && (await findRepository(run.repo_id))
  if (!run || !repository || repository.removed) throw absent()
  await permitSight(pool, caller, repository.id, absent)
  if (run.mode === 'drift') throw new Problem('conflict', 'the run is a check for drift: nothing is applied by it')
  return { run, repository }
}
