import type { Reader } from '#db/sql.ts'
import { seesRepository } from '#db/visibility.ts'
import type { Problem } from '#errors.ts'
import type { AnyCaller } from '../caller.ts'
import { sightOf } from './person.ts'

/**
 * Answers a person who may not see the repository as if the thing were not there: `hidden` makes the very problem that an id
 * gets which nothing has (spec, 'Person rules'). Jobs are held to their repository by their claims (caller.ts).
 */
export const permitSight = async (
  db: Reader,
  caller: AnyCaller,
  repoId: number,
  hidden: () => Problem,
): Promise<void> => {
  if (caller.kind === 'person' && !(await seesRepository(db, sightOf(caller), repoId))) throw hidden()
}
