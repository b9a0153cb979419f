import { z } from 'zod'
import { dispatchWave } from '#commands/dispatch-wave.ts'
import type { Handler } from '../handler.ts'

const Payload = z.object({ run_id: z.string(), wave: z.int().nonnegative().optional() })

/** Sends a wave of an apply out, or a plan run that the service started itself. */
export const dispatchWaveHandler: Handler = async (deps, job) => {
  const { run_id: runId, wave } = Payload.parse(job.payload)
  return (await dispatchWave(deps, { runId, wave, cause: job.cause, askedAt: job.created_at })) ? undefined : 'ignored'
}
