import { findRun } from '#db/runs.ts'
import type { Pool } from '#db/sql.ts'
import { placesOfRun, runStackViews } from '#db/views/run-stack-view.ts'
import { findRunView } from '#db/views/run-view.ts'
import { Problem } from '#errors.ts'
import { dispatchOf } from './bind-dispatch.ts'
import { type AnyCaller, claimProblem, isFinished, supersededProblem } from './caller.ts'
import type { Deps } from './deps.ts'
import { permitSight } from './people/permit-sight.ts'
import { type ShapedRun, type ShapedRunStack, shapeRun, shapeRunStack } from './shapes.ts'

/** A run, and its stacks a few at a time in the order of waves and keys. */
export type ReadRun = { run: ShapedRun; stacks: AsyncGenerator<ShapedRunStack[]> }

/** A run with its stacks (spec, 'GET /v1/runs/{id}'). */
export const readRun = async (deps: Deps, caller: AnyCaller, runId: string): Promise<ReadRun> => {
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
  return { run: shapeRun(deps.baseUrl, view), stacks: stacksOf(deps.pool, runId) }
}

const absent = (runId: string): Problem => new Problem('not_found', `run ${runId} does not exist`)

/** Rows in memory at a time: 6,000 stacks with whole plan texts would be 1.5 GB. */
const atMost = { rows: 200, bytes: 2 * 1024 * 1024 }

async function* stacksOf(pool: Pool, runId: string): AsyncGenerator<ShapedRunStack[]> {
  for (const ids of portions(await placesOfRun(pool, runId))) {
    const views = await runStackViews(
      pool,
      ids.map((stackId) => ({ runId, stackId })),
    )
    const byId = new Map(views.map((view) => [view.stack_id, view]))
    yield ids.flatMap((id) => {
      const view = byId.get(id)
      return view ? [shapeRunStack(view)] : []
    })
  }
}

const portions = (places: readonly { stack_id: string; bytes: number }[]): string[][] => {
  const all: string[][] = []
  let size = 0
  for (const { stack_id, bytes } of places) {
    const last = all.at(-1)
    size += bytes
    if (last && last.length < atMost.rows && size <= atMost.bytes) last.push(stack_id)
    else {
      all.push([stack_id])
      size = bytes
    }
  }
  return all
}
