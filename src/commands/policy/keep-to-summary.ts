import { keepOpenRunsToSummary, openPathsWithText } from '#db/runs/kept-outputs.ts'
import { transact } from '#db/transact.ts'
import type { RepoConfig } from '#domain/config/config-file.ts'
import { keepsAny, pathsKeptToSummary } from '#domain/plan-output.ts'
import { inSteps } from '#portions.ts'
import type { Deps } from '../deps.ts'

/**
 * Keeps to `summary` what the default branch's configuration does by now, in runs that were resolved before it did: no text of a late
 * result is kept. It is never taken back: a run that is to show the text again is planned again.
 */
export const keepToSummary = async (
  { pool }: Pick<Deps, 'pool'>,
  repoId: number,
  config: RepoConfig,
): Promise<void> => {
  if (!keepsAny(config)) return
  const paths = await openPathsWithText(pool, repoId)
  const kept = await inSteps(pathsKeptToSummary(config, paths))
  if (kept.size > 0) await transact(pool, (tx) => keepOpenRunsToSummary(tx, repoId, [...kept]))
}
