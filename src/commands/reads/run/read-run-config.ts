import type { RunnerCaller } from '#commands/callers/caller.ts'
import { claimProblem } from '#commands/callers/claim-problem.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { dispatchOf } from '#commands/dispatches/bind-dispatch.ts'
import { readDefaultConfig } from '#commands/policy/default-config.ts'
import { findRun } from '#db/machines/runs.ts'
import type { RepoConfig } from '#domain/config/config-file.ts'
import { Problem } from '#errors.ts'

/** The default branch's configuration for a job of the run (docs/interface.md, 'GET /v1/runs/{id}/config'). */
export const readRunConfig = async (deps: RequestDeps, caller: RunnerCaller, runId: string): Promise<RepoConfig> => {
  const run = await findRun(deps.pool, runId)
  if (!run) throw new Problem('not_found', `run ${runId} does not exist`)
  const foreign = claimProblem(caller, run, await dispatchOf(deps, caller, runId))
  if (foreign) throw foreign
  return (await readDefaultConfig(deps, caller.repository)).config
}
