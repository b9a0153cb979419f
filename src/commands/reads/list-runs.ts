import type { PersonOrKey } from '#commands/callers/caller.ts'
import { scopeOf } from '#commands/callers/scope-of.ts'
import { type RepositoryName, visibleRepository } from '#commands/callers/visible-repository.ts'
import { limitOf, momentKey, type Page, type PageRequest, pageOf, readCursor } from '#commands/shapes/page.ts'
import { shapeListedRun } from '#commands/shapes/shape-run-detail.ts'
import { countRuns, listRuns as findRuns, type RunFilter, type Scope } from '#db/views/runs/run-list-view.ts'
import { openStatuses, type RunMode, type RunStatus, runStatuses } from '#domain/run-status.ts'
import { invalid } from '#errors.ts'
import type { RequestDeps } from '../deps.ts'

type Asked = PageRequest & {
  mode?: RunMode | undefined
  status?: RunStatus | undefined
  prNumber?: number | undefined
}

type Listed = Page<ReturnType<typeof shapeListedRun>>

/** Of the statuses that are not over, those that a run has. */
const openRunStatuses = runStatuses.filter((status) => openStatuses.includes(status))

type ListDeps = Pick<RequestDeps, 'pool' | 'baseUrl' | 'pages'>

/** Runs of a repository without their stacks, newest first (docs/interface.md, 'GET /v1/repos/{owner}/{repo}/runs'). */
export const listRuns = async (
  deps: ListDeps,
  caller: PersonOrKey,
  name: RepositoryName,
  { prNumber, ...asked }: Asked,
): Promise<Listed> => {
  const { id: repoId } = await visibleRepository(deps.pool, caller, name)
  const { mode, status } = asked
  const filter = { modes: mode && [mode], statuses: status && [status], prNumber }
  return pageOfRuns(deps, { repoId }, `runs of ${repoId}`, asked, filter)
}

type AskedOfAll = PageRequest & {
  repo?: string | undefined
  prNumber?: number | undefined
  mode?: readonly RunMode[] | undefined
  status?: readonly RunStatus[] | undefined
  open?: boolean | undefined
  actor?: string | undefined
}

/** Runs of all repositories that the caller sees, with a total where counts are kept (docs/interface.md, 'GET /v1/runs'). */
export const listAllRuns = async (
  deps: ListDeps,
  caller: PersonOrKey,
  { prNumber, actor, repo, open, mode, status, ...asked }: AskedOfAll,
): Promise<Listed & { total?: number }> => {
  if (prNumber !== undefined && repo === undefined) throw invalid('pr', 'must come with repo')
  if (open && status !== undefined) throw invalid('open', 'must not come with status')
  const scope = await scopeOf(deps, caller, repo)
  const statuses = open ? openRunStatuses : status
  const filter: RunFilter = { modes: mode, statuses, prNumber, actor }
  const page = await pageOfRuns(deps, scope, 'runs', asked, filter)
  if (prNumber !== undefined || actor !== undefined || mode !== undefined) return page
  return { ...page, total: await countRuns(deps.pool, scope, statuses ?? runStatuses) }
}

const pageOfRuns = async (
  deps: ListDeps,
  scope: Scope,
  list: string,
  asked: PageRequest,
  filter: RunFilter,
): Promise<Listed> => {
  const limit = limitOf(asked)
  const after = readCursor(asked.cursor, momentKey(list))
  const runs = await findRuns(deps.pool, { scope, filter, after, limit: limit + 1 })
  return pageOf(runs, limit, { keyOf: ({ at, id }) => [list, at, id], shape: (run) => shapeListedRun(deps, run) })
}
