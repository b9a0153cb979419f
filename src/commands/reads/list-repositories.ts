import { z } from 'zod'
import type { PersonOrKey } from '#commands/callers/caller.ts'
import { sightOf } from '#commands/callers/person.ts'
import { CursorText, limitOf, type Page, type PageRequest, pageOf, readCursor } from '#commands/shapes/page.ts'
import { present } from '#commands/shapes/shape-run.ts'
import { countRepositories, listRepositoryViews, type RepositoryView } from '#db/views/repository-view.ts'
import type { Deps } from '../deps.ts'

const Key = z.tuple([z.literal('repositories'), CursorText, z.int()]).transform(([, name, id]) => ({ name, id }))

/** The repositories that the caller sees, by full name (docs/interface.md, 'GET /v1/repos'). */
export const listRepositories = async (
  { pool }: Pick<Deps, 'pool'>,
  caller: PersonOrKey,
  asked: PageRequest,
): Promise<Page<ShapedRepository> & { total?: number }> => {
  const limit = limitOf(asked)
  const after = readCursor(asked.cursor, Key)
  const sight = sightOf(caller)
  const repositories = await listRepositoryViews(pool, { sight, after, limit: limit + 1 })
  const total = await countRepositories(pool, sight)
  const page = pageOf(repositories, limit, {
    keyOf: ({ full_name, id }) => ['repositories', full_name, id],
    shape: shapeRepository,
  })
  return { ...page, ...(total > 0 ? { total } : {}) }
}

const shapeRepository = ({ last_run_at, ...repository }: RepositoryView) => ({
  ...repository,
  ...present({ last_run_at: last_run_at?.toISOString() }),
})

type ShapedRepository = ReturnType<typeof shapeRepository>
