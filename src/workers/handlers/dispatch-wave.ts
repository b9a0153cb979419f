import { dispatchWave } from '#commands/dispatches/dispatch-wave.ts'
import { refreshPullRequest } from '#commands/host-news/refresh-pull-request.ts'
import { findRun } from '#db/machines/runs.ts'
import { Problem } from '#errors.ts'
import type { HandlerDeps, JobHandler } from '../handler.ts'

/**
 * Sends out a wave. The first was judged a moment ago. Hours may lie between it and the others, and the delivery that told of a
 * newer commit may be lost, so the pull request is read again before each of those. A code host that does not answer holds
 * nothing up.
 */
export const dispatchWaveHandler: JobHandler<'dispatch_wave'> = async (
  deps,
  { run_id: runId, wave },
  { cause, created_at: askedAt },
) => {
  if (wave !== undefined && wave > 0) await readPullRequest(deps, runId, cause)
  return dispatchWave(deps, { runId, wave, cause, askedAt })
}

const readPullRequest = async (deps: HandlerDeps, runId: string, cause: string | null): Promise<void> => {
  const run = await findRun(deps.pool, runId)
  if (!run || run.pr_number === null) return
  await refreshPullRequest(deps, run.repo_id, run.pr_number, cause).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
    deps.log.warn({ err: error, run: runId }, 'a pull request could not be read before its next wave')
  })
}
