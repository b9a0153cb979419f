import type { Pool } from '#db/sql.ts'
import type { Scope } from '#db/views/runs/run-list-view.ts'
import type { PersonOrKey } from './caller.ts'
import { sightOf } from './person.ts'
import { visibleRepository } from './visible-repository.ts'

/** The repository with this name, or all that the caller sees; throws not_found for one that they do not see. */
export const scopeOf = async (
  { pool }: { pool: Pool },
  caller: PersonOrKey,
  repo: string | undefined,
): Promise<Scope> => {
  if (repo === undefined) return { sight: sightOf(caller) }
  const [owner = '', name = ''] = repo.split('/')
  return { repoId: (await visibleRepository(pool, caller, { owner, repo: name })).id }
}
