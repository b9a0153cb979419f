import type { PersonOrKey } from '#commands/callers/caller.ts'
import { type ShapedRunStackDetail, shapeRunStackDetail } from '#commands/shapes/shape-run-stack.ts'
import { findRunStackId } from '#db/machines/run-stacks.ts'
import { waitingForLocks } from '#db/views/lock-view.ts'
import { runStackDetails } from '#db/views/runs/run-stack-detail.ts'
import { runStackViews, runStackViewsWithoutTexts } from '#db/views/runs/run-stack-view.ts'
import { Problem } from '#errors.ts'
import { type RunReading, visibleRun } from './visible-run.ts'

/** A stack's row in a run, and who waits for its lock (docs/interface.md, 'GET /v1/runs/{id}/stacks/{key}'). */
export const readRunStack = async (
  deps: RunReading,
  caller: PersonOrKey,
  { runId, key, text }: { runId: string; key: string; text?: 'none' | undefined },
): Promise<ShapedRunStackDetail> => {
  const { run, rows } = await visibleRun(deps, caller, runId)
  const stackId = await findRunStackId(rows, runId, key)
  const read = text === 'none' ? runStackViewsWithoutTexts : runStackViews
  const [view] = stackId === undefined ? [] : await read(rows, [{ runId, stackId }])
  if (!view) throw new Problem('not_found', `run ${runId} has no stack ${key}`)
  const { stack_id } = view
  const details = await runStackDetails(rows, runId, [stack_id])
  const isLocked = view.lock_taken_at !== null
  const waiting = isLocked ? await waitingForLocks(deps.pool, [{ stack_id, repo_id: run.repo_id }]) : []
  return shapeRunStackDetail(view, details.get(stack_id), waiting)
}
