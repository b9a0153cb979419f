import { z } from 'zod'
import { sendDispatch } from '#commands/send-dispatch.ts'
import type { Handler } from '../handler.ts'

const Payload = z.object({ dispatch_id: z.string(), again: z.boolean().optional() })

/** Starts the workflow of a dispatch. A worker may have died between starting it and writing that down. */
export const sendDispatchHandler: Handler = async (deps, job) => {
  const { dispatch_id: id, again } = Payload.parse(job.payload)
  const sending = { id, again: again === true || job.attempt > 1, cause: job.cause }
  return (await sendDispatch(deps, sending)) ? undefined : 'ignored'
}
