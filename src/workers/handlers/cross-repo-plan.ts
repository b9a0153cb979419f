import { z } from 'zod'
import { planDownstream } from '#commands/plan-downstream.ts'
import { propagateApply } from '#commands/propagate-apply.ts'
import type { Handler } from '../handler.ts'

/** Of an apply run that has ended; or of a repository that is to be planned because of some. */
const Payload = z.union([z.object({ run_id: z.string() }), z.object({ repo_id: z.number() })])

/** Plans other repositories after an apply: first it is found which, then each is planned by a job of its own. */
export const crossRepoPlan: Handler = async (deps, job) => {
  const payload = Payload.parse(job.payload)
  const done =
    'run_id' in payload
      ? await propagateApply(deps, payload.run_id, job.cause)
      : await planDownstream(deps, payload.repo_id, job.cause)
  return done ? undefined : 'ignored'
}
