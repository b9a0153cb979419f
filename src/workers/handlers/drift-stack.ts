import { z } from 'zod'
import { keepDriftIssue } from '#commands/keep-drift-issue.ts'
import type { Handler } from '../handler.ts'

const Payload = z.object({ stack_id: z.string() })

/** Makes the issue of a stack say whether the stack drifted. */
export const driftStack: Handler = async (deps, job) =>
  (await keepDriftIssue(deps, Payload.parse(job.payload).stack_id)) ? undefined : 'ignored'
