import type { RepoRef } from '#codehost/port.ts'
import type { HandlerDeps } from './handler.ts'

/**
 * Posts a comment that is to be there once, however often its job runs: the worker may have died, or lost the answer, after
 * it was made. Looked for at the first attempt too: one that was handed over on the way down counts as none.
 */
export const commentOnce = async (
  { codehost }: Pick<HandlerDeps, 'codehost'>,
  { repo, number, marker }: { repo: RepoRef; number: number; marker: string },
  body: string,
): Promise<void> => {
  if ((await codehost.findComment(repo, number, marker)) !== undefined) return
  await codehost.createComment(repo, number, `${marker}\n${body}`)
}
