import type { RepoRef } from '#codehost/port.ts'
import type { HandlerDeps } from '../handler.ts'

/**
 * Posts a comment once, however often its job runs: the worker may have died, or lost the answer, after posting. Checks at the
 * first attempt too: a job handed over at shutdown counts no attempt.
 */
export const commentOnce = async (
  { codehost }: Pick<HandlerDeps, 'codehost'>,
  { repo, number, marker }: { repo: RepoRef; number: number; marker: string },
  body: string,
): Promise<void> => {
  if ((await codehost.findComment(repo, number, marker)) !== undefined) return
  await codehost.createComment(repo, number, `${marker}\n${body}`)
}
