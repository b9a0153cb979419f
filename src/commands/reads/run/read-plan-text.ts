import type { StoredObject } from '#artifacts/port.ts'
import type { PersonOrKey } from '#commands/callers/caller.ts'
import type { Deps } from '#commands/deps.ts'
import { findPlanUrl } from '#db/runs/plan-texts.ts'
import { Problem } from '#errors.ts'
import { planInBucket } from './plan-in-bucket.ts'
import { type RunReading, visibleRun } from './visible-run.ts'

/**
 * The full plan text from the artifact bucket (docs/interface.md, 'GET /v1/runs/{id}/stacks/{key}/plan'), streamed as it
 * comes; `signal` ends the read.
 */
export const readPlanText = async (
  deps: RunReading & Pick<Deps, 'artifacts'>,
  caller: PersonOrKey,
  { runId, key, signal }: { runId: string; key: string; signal: AbortSignal },
): Promise<StoredObject> => {
  const { rows } = await visibleRun(deps, caller, runId)
  const url = await findPlanUrl(rows, { runId, key })
  if (url === undefined) throw new Problem('not_found', `run ${runId} has no stack ${key}`)
  if (url === null) {
    throw new Problem('not_found', `the plan of ${key} has no plan_url: GET /v1/runs/${runId} has all of its text`)
  }
  const object = await planInBucket(deps.artifacts, url, signal)
  if (!object) throw new Problem('not_found', `the plan of ${key} is not in the artifact bucket any more`)
  return object
}
