import type { Reader } from '#db/sql.ts'
import { seesRepository } from '#db/visibility.ts'
import type { Problem } from '#errors.ts'
import type { AnyCaller } from './caller.ts'
import { sightOf } from './person.ts'

/**
 * Answers a caller who may not see the repository, or after it was removed, as if the thing did not exist: `hidden` makes the
 * very problem that an unknown id gets (docs/interface.md, 'People'). Jobs are held to their repository by their claims
 * (claim-problem.ts).
 */
export const permitSight = async (
  db: Reader,
  caller: AnyCaller,
  repoId: number,
  hidden: () => Problem,
): Promise<void> => {
  if (caller.kind !== 'runner' && !(await seesRepository(db, sightOf(caller), repoId))) throw hidden()
}
