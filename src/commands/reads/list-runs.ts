import type { PersonOrKey } from '#commands/callers/caller.ts'
import { type RepositoryName, visibleRepository } from '#commands/callers/visible-repository.ts'
import { limitOf, momentKey, type Page, type PageRequest, pageOf, readCursor } from '#commands/shapes/page.ts'
import { shapeListedRun } from '#commands/shapes/shape-run-detail.ts'
import { listRuns as findRuns, type RunFilter } from '#db/views/run-view.ts'
import type { RequestDeps } from '../deps.ts'

/** Runs of a repository without their stacks, newest first (docs/interface.md, 'GET /v1/repos/{owner}/{repo}/runs'). */
export const listRuns = async (
  deps: Pick<RequestDeps, 'pool' | 'baseUrl' | 'pages'>,
  caller: PersonOrKey,
  name: RepositoryName,
  asked: PageRequest & RunFilter,
): Promise<Page<ReturnType<typeof shapeListedRun>>> => {
  const { pool } = deps
  const { id: repoId } = await visibleRepository(pool, caller, name)
  const list = `runs of ${repoId}`
  const limit = limitOf(asked)
  const after = readCursor(asked.cursor, momentKey(list))
  const { prNumber, mode, status } = asked
  const runs = await findRuns(pool, { repoId, filter: { prNumber, mode, status }, after, limit: limit + 1 })
  return pageOf(runs, limit, { keyOf: ({ at, id }) => [list, at, id], shape: (run) => shapeListedRun(deps, run) })
}
