import type { RunnerCaller } from '#commands/callers/caller.ts'
import { nameProblem, stackProblem } from '#commands/callers/claim-problem.ts'
import { dispatchOf, eventProblem, workflowProblem } from '#commands/dispatches/bind-dispatch.ts'
import { supersededProblem } from '#commands/runs/superseded-problem.ts'
import { type ShapedRun, shapeRun } from '#commands/shapes/shape-run.ts'
import { fencesOfRun } from '#db/machines/locks.ts'
import { loadStacksByKey, type RunStackRow } from '#db/machines/run-stacks.ts'
import type { Pool } from '#db/sql.ts'
import { ofInstallation } from '#db/tenant.ts'
import { transact } from '#db/transact.ts'
import type { DispatchView } from '#db/views/dispatch-view.ts'
import { findRunView } from '#db/views/runs/run-view.ts'
import { takesResult } from '#domain/run-status.ts'
import { invalid, Problem } from '#errors.ts'
import { stackActor } from '#runtime/actor.ts'
import type { Deps } from '../deps.ts'

/** What a dispatched job says of itself; its token says which job it is. */
export type JoinRunRequest = {
  repo?: string | undefined
  mode?: string | undefined
  run_id?: string | undefined
  stacks?: string[] | undefined
}

/**
 * Lets a dispatched job into its run (docs/interface.md, 'POST /v1/runs', 2): the service's word that it may begin with the
 * stacks that it names. A settled stack is refused, and so is an apply whose lock was released or taken over meanwhile: a
 * workflow run may be picked up hours after it was dispatched.
 */
export const joinRun = async (
  deps: Deps,
  caller: RunnerCaller,
  body: JoinRunRequest,
  cause?: string,
): Promise<{ run: ShapedRun; existing: true }> => {
  const other = eventProblem(caller)
  if (other) throw other
  const { run_id: runId } = body
  if (!runId) {
    const missing = invalid('run_id', 'is missing: a dispatched job is given it as the input run_id')
    throw workflowProblem(caller, false) ?? missing
  }
  const foreign = body.repo ? nameProblem(caller, body.repo) : undefined
  if (foreign) throw foreign
  const dispatch = await dispatchOf(deps, caller, runId, cause)
  const own = ofInstallation(deps.pool, caller.repository.installation_id)
  const view = await findRunView(own, runId)
  if (!dispatch || !view) throw new Problem('not_found', `run ${runId} does not exist`)
  if (body.mode && body.mode !== view.mode) throw invalid('mode', `the run's mode is ${view.mode}`)
  if (view.status === 'superseded') throw supersededProblem()
  const problem = await mayBegin(own, caller, dispatch, body.stacks ?? [])
  if (problem) throw problem
  return { run: shapeRun(deps.baseUrl, view), existing: true }
}

const mayBegin = (
  pool: Pool,
  caller: RunnerCaller,
  dispatch: DispatchView,
  keys: readonly string[],
): Promise<Problem | undefined> =>
  transact(pool, async (tx) => {
    const runId = dispatch.run_id
    const rows = await loadStacksByKey(
      tx,
      keys.map((key) => ({ runId, key })),
    )
    const known = new Map(rows.map((row) => [row.key, row]))
    const fences = dispatch.mode === 'apply' && keys.length > 0 ? await fencesOfRun(tx, runId) : undefined
    for (const key of keys) {
      const row = known.get(key)
      if (!row) return new Problem('forbidden', `run ${runId} has no stack ${key}`)
      const problem = stackProblem(caller, row, dispatch) ?? lateProblem(row, fences)
      if (problem) return problem
    }
    return undefined
  })

const lateProblem = (row: RunStackRow, fences: ReadonlyMap<string, number> | undefined): Problem | undefined => {
  if (!takesResult(row.status))
    return new Problem('conflict', `${row.key} is ${row.status}: there is nothing left to do`)
  const { fence } = stackActor(row).snapshot.context
  if (!fences || fences.get(row.stack_id) === fence) return undefined
  return new Problem('conflict', `the lock of ${row.key} was released since it was dispatched: apply it again`)
}
