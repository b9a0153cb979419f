import type { RepoRef } from '#codehost/port.ts'
import type { JobRow } from '#db/queue/jobs.ts'
import type { HandlerDeps } from '../handler.ts'

/** The clocks of the code host and of the database differ by less. */
const slackMs = 10 * 60_000

/** A job that waited for longer may be one of a restored database, which was done since. */
const freshMs = 60_000

export type Once = {
  repo: RepoRef
  number: number
  marker: string
  job: Pick<JobRow, 'attempt' | 'last_error' | 'created_at'>
  /** When another job may have posted the same, if one may have. */
  since?: Date | null | undefined
}

/**
 * Posts a comment once, however often its job runs: the worker may have died, or lost the answer, after posting. It is looked for
 * only if it may be there, and among the comments since then: whoever writes thousands of long ones would have them read before
 * each answer.
 */
export const commentOnce = async (
  { codehost, clock }: Pick<HandlerDeps, 'codehost' | 'clock'>,
  { repo, number, marker, job, since }: Once,
  body: string,
): Promise<void> => {
  const isOld = +clock.now() - +job.created_at > freshMs
  const mayBeThere = since || isOld || job.attempt > 1 || job.last_error !== null
  const earliest = Math.min(+job.created_at, +(since ?? job.created_at)) - slackMs
  const isThere = mayBeThere && (await codehost.findComment(repo, number, marker, new Date(earliest))) !== undefined
  if (!isThere) await codehost.createComment(repo, number, `${marker}\n${body}`)
}
