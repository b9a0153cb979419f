import type { AnyCaller } from '#commands/callers/caller.ts'
import { claimProblem, isPlanner } from '#commands/callers/claim-problem.ts'
import { permitSight } from '#commands/callers/permit-sight.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { dispatchOf } from '#commands/dispatches/bind-dispatch.ts'
import { supersededProblem } from '#commands/runs/superseded-problem.ts'
import { type ShapedRunDetail, shapeRunDetail } from '#commands/shapes/shape-run-detail.ts'
import { findRun } from '#db/machines/runs.ts'
import { findRunDetail } from '#db/views/runs/run-detail-view.ts'
import { isOpen } from '#domain/run-status.ts'
import { Problem } from '#errors.ts'
import { type RowsOfRun, rowsOfRun, type WantedRows } from './rows-of-run.ts'
import { standingOfRun } from './standing-of-run.ts'

/** A run, and its rows; without these, and what is summed up of them, where nothing has changed since the `rev` that was given. */
export type ReadRun = { run: ShapedRunDetail; stacks?: RowsOfRun }

/** A run with its stacks (docs/interface.md, 'GET /v1/runs/{id}'). */
export const readRun = async (
  deps: RequestDeps,
  caller: AnyCaller,
  runId: string,
  wanted: WantedRows = {},
): Promise<ReadRun> => {
  const run = await findRun(deps.pool, runId)
  if (!run) throw absent(runId)
  if (caller.kind !== 'runner') {
    await permitSight(deps.pool, caller, run.repo_id, () => absent(runId))
  } else {
    const foreign = claimProblem(caller, run, await dispatchOf(deps, caller, runId))
    if (foreign) throw foreign
  }
  // a pull request's job may not read a finished run: a later push could read an earlier plan
  if (isPlanner(caller) && !isOpen(run.status)) {
    throw run.status === 'superseded'
      ? supersededProblem()
      : new Problem('conflict', `the run is ${run.status}: its jobs can no longer read it`)
  }
  const { pool, archived } = await deps.rowsOf(runId)
  const view = await findRunDetail(pool, runId)
  if (!view) throw absent(runId)
  // read before the rows: one that changes meanwhile comes again with the next question
  const { rev } = run
  if (wanted.since === rev) return { run: shapeRunDetail(deps, { ...view, rev, archived }, { since: rev }) }
  const since = wanted.since !== undefined && wanted.since < rev ? wanted.since : undefined
  const stacks = await rowsOfRun(pool, runId, { ...wanted, since })
  const standing = await standingOfRun(pool, view)
  const told = { standing, ...(since === undefined || stacks.whole ? {} : { since }) }
  return { run: shapeRunDetail(deps, { ...view, rev, archived }, told), stacks }
}

const absent = (runId: string): Problem => new Problem('not_found', `run ${runId} does not exist`)
