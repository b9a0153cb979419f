import { Problem } from '#errors.ts'
import type { Caller } from './caller.ts'

/**
 * The one rule for what asks for push permission on a repository (spec, 'Person rules': unlock and rerun). An API key counts
 * as an administrator; a job of a workflow has no business here.
 */
export const permitPush = (caller: Caller): void => {
  if (caller.kind !== 'key') throw new Problem('unauthorized', 'tokens of CI jobs are not taken here: use an API key')
}
