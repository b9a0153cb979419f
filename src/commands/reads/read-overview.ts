import type { PersonOrKey } from '#commands/callers/caller.ts'
import { sightOf } from '#commands/callers/person.ts'
import { present } from '#commands/shapes/shape-run.ts'
import { shapeListedRun, shapeProgress } from '#commands/shapes/shape-run-detail.ts'
import { sumRepositories } from '#db/views/repository-view.ts'
import { listRuns } from '#db/views/runs/run-list-view.ts'
import { progressOfRuns } from '#db/views/runs/run-standing-view.ts'
import { type ListedRun, openRuns } from '#db/views/runs/run-view.ts'
import type { Sight } from '#db/visibility.ts'
import { limits } from '#domain/limits.ts'
import type { RequestDeps } from '../deps.ts'
import { readAttention } from './read-attention.ts'

const runsShown = limits.overviewRuns

/** The state of everything that the caller sees (docs/interface.md, 'Overview'). */
export const readOverview = async (deps: Pick<RequestDeps, 'pool' | 'baseUrl' | 'pages'>, caller: PersonOrKey) => {
  const { pool } = deps
  const sight = sightOf(caller)
  const [sums, recent, open, attention] = await Promise.all([
    sumRepositories(pool, sight),
    listRuns(pool, { scope: { sight }, filter: {}, limit: runsShown }),
    readOpenRuns(deps, sight),
    readAttention(pool, caller),
  ])
  const shape = (run: ListedRun) => shapeListedRun(deps, run)
  return {
    ...sums,
    ...present({
      recent_runs: recent.map(shape),
      open_runs: open,
      attention: Object.keys(attention).length === 0 ? undefined : attention,
    }),
  }
}

/** The newest runs that are not over, each with how far it is. */
const readOpenRuns = async (deps: Pick<RequestDeps, 'pool' | 'baseUrl' | 'pages'>, sight: Sight) => {
  const runs = await openRuns(deps.pool, sight, runsShown)
  if (runs.length === 0) return undefined
  const progress = await progressOfRuns(
    deps.pool,
    runs.map(({ id }) => id),
  )
  const byRun = Map.groupBy(progress, ({ run_id }) => run_id)
  return {
    total: runs[0]?.total ?? 0,
    items: runs.map((run) => ({
      ...shapeListedRun(deps, run),
      ...shapeProgress(byRun.get(run.id) ?? []),
    })),
  }
}
