import { RetryAfter } from '#codehost/retry-after.ts'
import type { JobRow } from '#db/queue/jobs.ts'
import { queueAttempts } from '#domain/retry.ts'
import type { Stopping } from '../handler.ts'

/** Whether a failed handler was at its last attempt: somebody may have to be told that the job is given up. */
export const isGivenUp = ({ signal }: Stopping, job: Pick<JobRow, 'attempt'>, error: unknown): boolean =>
  job.attempt >= queueAttempts && !(error instanceof RetryAfter) && !signal.aborted
