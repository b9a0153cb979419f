import { findRun } from '#db/runs.ts'
import { runStackViewsOf } from '#db/views/run-stack-view.ts'
import { findRunView } from '#db/views/run-view.ts'
import { Problem } from '#errors.ts'
import { dispatchOf } from './bind-dispatch.ts'
import { type AnyCaller, claimProblem, isFinished, supersededProblem } from './caller.ts'
import type { Deps } from './deps.ts'
import { permitSight } from './people/permit-sight.ts'
import { type ShapedRun, type ShapedRunStack, shapeRun, shapeRunStack } from './shapes.ts'

/** A run with its stacks (spec, 'GET /v1/runs/{id}'). */
export const readRun = async (
  deps: Deps,
  caller: AnyCaller,
  runId: string,
): Promise<ShapedRun & { stacks: ShapedRunStack[] }> => {
  const run = await findRun(deps.pool, runId)
  if (!run) throw absent(runId)
  if (caller.kind === 'person') {
    await permitSight(deps.pool, caller, run.repo_id, () => absent(runId))
  } else {
    const foreign = claimProblem(caller, run, await dispatchOf(deps, caller, runId))
    if (foreign) throw foreign
  }
  // a pull request's job has no business with a run that is over: a later push could read an earlier plan
  if (caller.kind === 'runner' && caller.claims.event === 'pull_request' && isFinished(run)) {
    throw run.status === 'superseded'
      ? supersededProblem()
      : new Problem('conflict', `the run is ${run.status}: its jobs can read it no more`)
  }
  const view = await findRunView(deps.pool, runId)
  if (!view) throw absent(runId)
  const stacks = await runStackViewsOf(deps.pool, runId)
  return { ...shapeRun(deps.baseUrl, view), stacks: stacks.map(shapeRunStack) }
}

const absent = (runId: string): Problem => new Problem('not_found', `run ${runId} does not exist`)
