import { findRun } from '#db/runs.ts'
import { hasRunStack } from '#db/views/run-stack-view.ts'
import { Problem } from '#errors.ts'
import type { PersonOrKey } from './caller.ts'
import type { Deps } from './deps.ts'
import { permitSight } from './people/permit-sight.ts'

/**
 * The full plan text out of the artifact bucket (spec, 'GET /v1/runs/{id}/stacks/{key}/plan'). This version writes none there,
 * so that no row has a plan_url: what there is of the text is in the row itself.
 */
export const readPlanText = async (
  { pool }: Pick<Deps, 'pool'>,
  caller: PersonOrKey,
  { runId, key }: { runId: string; key: string },
): Promise<never> => {
  const absent = (): Problem => new Problem('not_found', `run ${runId} does not exist`)
  const run = await findRun(pool, runId)
  if (!run) throw absent()
  await permitSight(pool, caller, run.repo_id, absent)
  if (!(await hasRunStack(pool, runId, key))) throw new Problem('not_found', `run ${runId} has no stack ${key}`)
  throw new Problem(
    'not_found',
    `the plan of ${key} has no plan_url: GET /v1/runs/${runId} has all of its text there is`,
  )
}
