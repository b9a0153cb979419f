import { findSeenRepository, type Repository } from '#db/repositories/repositories.ts'
import type { Reader } from '#db/sql.ts'
import { Problem } from '#errors.ts'
import type { PersonOrKey } from './caller.ts'
import { sightOf } from './person.ts'

export type RepositoryName = { owner: string; repo: string }

/** The repository in a path, if the caller may see it; 404 for one that does not exist or is hidden from them. */
export const visibleRepository = async (
  db: Reader,
  caller: PersonOrKey,
  { owner, repo }: RepositoryName,
): Promise<Repository> => {
  const isName = [owner, repo].every((part) => /^[\w.-]+$/.test(part))
  const repository = isName ? await findSeenRepository(db, sightOf(caller), `${owner}/${repo}`) : undefined
  if (!repository) throw new Problem('not_found', `the service knows no repository ${owner}/${repo}`)
  return repository
}
