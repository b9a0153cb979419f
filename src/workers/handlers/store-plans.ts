import { z } from 'zod'
import { storePlans } from '#commands/store-plans.ts'
import type { Handler } from '../handler.ts'

const Payload = z.object({ run_id: z.string() })

/** Moves a run's plan texts to the bucket; they stay where they are when there is none any more. */
export const storePlansHandler: Handler = async ({ pool, artifacts, signal }, job) => {
  const { run_id: runId } = Payload.parse(job.payload)
  if (!artifacts) return 'ignored'
  await storePlans({ pool, artifacts, signal }, runId)
  return undefined
}
