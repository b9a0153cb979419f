import { type StoredObject, StoreRefusal } from '#artifacts/port.ts'
import { findPlanUrl } from '#db/plan-texts.ts'
import { findRun } from '#db/runs.ts'
import { Problem } from '#errors.ts'
import type { PersonOrKey } from './caller.ts'
import type { Deps } from './deps.ts'
import { permitSight } from './people/permit-sight.ts'

/**
 * The full plan text out of the artifact bucket (spec, 'GET /v1/runs/{id}/stacks/{key}/plan'), as it comes from there; `signal`
 * ends the read. A bucket that says no is 500, since somebody has to mend it; one that cannot be reached is 503 as the code
 * host and the database are, so that trying again is known to help.
 */
export const readPlanText = async (
  { pool, artifacts }: Pick<Deps, 'pool' | 'artifacts'>,
  caller: PersonOrKey,
  { runId, key, signal }: { runId: string; key: string; signal: AbortSignal },
): Promise<StoredObject> => {
  const absent = (): Problem => new Problem('not_found', `run ${runId} does not exist`)
  const run = await findRun(pool, runId)
  if (!run) throw absent()
  await permitSight(pool, caller, run.repo_id, absent)
  const url = await findPlanUrl(pool, { runId, key })
  if (url === undefined) throw new Problem('not_found', `run ${runId} has no stack ${key}`)
  if (url === null) {
    throw new Problem(
      'not_found',
      `the plan of ${key} has no plan_url: GET /v1/runs/${runId} has all of its text there is`,
    )
  }
  if (!artifacts) throw new Problem('not_found', 'the service has no artifact bucket any more')
  const object = await artifacts.get(url, signal).catch((error) => {
    if (signal.aborted) throw new Problem('unavailable', 'the caller left before the artifact bucket answered')
    throw error instanceof StoreRefusal ? refused(error) : unreachable(error)
  })
  if (!object) throw new Problem('not_found', `the plan of ${key} is not in the artifact bucket any more`)
  return object
}

const refused = (error: StoreRefusal): Problem =>
  new Problem('internal', 'the artifact bucket refused the read: the log of the service has the details', {
    cause: new Error(
      'reading needs s3:GetObject on objects and s3:ListBucket on the bucket, without which a missing one is refused',
      {
        cause: error,
      },
    ),
  })

const unreachable = (error: unknown): Problem =>
  new Problem('unavailable', 'the artifact bucket cannot be reached: try again', { cause: error })
