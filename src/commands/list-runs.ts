import { listRuns as findRuns, type RunFilter } from '#db/views/run-view.ts'
import type { PersonOrKey } from './caller.ts'
import type { Deps } from './deps.ts'
import { limitOf, momentKey, type Page, type PageRequest, pageOf, readCursor } from './page.ts'
import { type ShapedRun, shapeRun } from './shapes.ts'
import { type RepositoryName, visibleRepository } from './visible-repository.ts'

/** Runs of a repository without their stacks, newest first (spec, 'GET /v1/repos/{owner}/{repo}/runs'). */
export const listRuns = async (
  { pool, baseUrl }: Pick<Deps, 'pool' | 'baseUrl'>,
  caller: PersonOrKey,
  name: RepositoryName,
  asked: PageRequest & RunFilter,
): Promise<Page<ShapedRun>> => {
  const { id: repoId } = await visibleRepository(pool, caller, name)
  const list = `runs of ${repoId}`
  const limit = limitOf(asked)
  const after = readCursor(asked.cursor, momentKey(list))
  const { prNumber, mode, status } = asked
  const runs = await findRuns(pool, { repoId, filter: { prNumber, mode, status }, after, limit: limit + 1 })
  return pageOf(runs, limit, { keyOf: ({ at, id }) => [list, at, id], shape: (run) => shapeRun(baseUrl, run) })
}
