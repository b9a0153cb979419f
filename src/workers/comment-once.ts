import type { RepoRef } from '#codehost/port.ts'
import type { JobRow } from '#db/jobs.ts'
import type { HandlerDeps } from './handler.ts'

/** By which the comment of a job is found again; the id of a job is of no use to anybody else. */
const markerOf = (job: Pick<JobRow, 'id'>): string => `<!-- svc:job ${job.id} -->`

/**
 * Posts a comment that is to be there once, however often its job runs: the worker may have died, or lost the answer, after
 * it was made. Looked for at the first attempt too: one that was handed over on the way down counts as none.
 */
export const commentOnce = async (
  deps: Pick<HandlerDeps, 'codehost'>,
  job: Pick<JobRow, 'id'>,
  { repo, number }: { repo: RepoRef; number: number },
  body: string,
): Promise<void> => {
  const marker = markerOf(job)
  if ((await deps.codehost.findComment(repo, number, marker)) !== undefined) return
  await deps.codehost.createComment(repo, number, `${marker}\n${body}`)
}
