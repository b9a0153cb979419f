import type { PersonOrKey } from '#commands/callers/caller.ts'
import { sightOf } from '#commands/callers/person.ts'
import { present } from '#commands/shapes/shape-run.ts'
import { shapeListedRun } from '#commands/shapes/shape-run-detail.ts'
import { sumRepositories } from '#db/views/repository-view.ts'
import { type ListedRun, openRuns, recentRuns } from '#db/views/runs/run-view.ts'
import type { RequestDeps } from '../deps.ts'
import { readAttention } from './read-attention.ts'

const runsShown = 20

/** The state of everything that the caller sees (docs/interface.md, 'Overview'). */
export const readOverview = async (deps: Pick<RequestDeps, 'pool' | 'baseUrl' | 'pages'>, caller: PersonOrKey) => {
  const { pool } = deps
  const sight = sightOf(caller)
  const [sums, recent, open, attention] = await Promise.all([
    sumRepositories(pool, sight),
    recentRuns(pool, sight, runsShown),
    openRuns(pool, sight, runsShown),
    readAttention(pool, caller),
  ])
  const shape = (run: ListedRun) => shapeListedRun(deps, run)
  return {
    ...sums,
    ...present({
      recent_runs: recent.map(shape),
      open_runs: open.length === 0 ? undefined : { total: open[0]?.total ?? 0, items: open.map(shape) },
      attention: Object.keys(attention).length === 0 ? undefined : attention,
    }),
  }
}
