import { RetryAfter } from '#codehost/retry-after.ts'
import type { JobRow } from '#db/jobs.ts'
import { queueAttempts } from '#domain/retry.ts'
import type { Stopping } from './handler.ts'

/** Whether a handler that failed so was at its last attempt: somebody may have to be told that nothing more will come of it. */
export const isGivenUp = ({ signal }: Stopping, job: Pick<JobRow, 'attempt'>, error: unknown): boolean =>
  job.attempt >= queueAttempts && !(error instanceof RetryAfter) && !signal.aborted
