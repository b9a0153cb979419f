import { sumRepositories } from '#db/views/repository-view.ts'
import { recentRuns } from '#db/views/run-view.ts'
import type { PersonOrKey } from './caller.ts'
import type { Deps } from './deps.ts'
import { sightOf } from './people/person.ts'
import { present, shapeRun } from './shapes.ts'

const recentShown = 20

/** How all that the caller sees stands (spec, 'Overview'). */
export const readOverview = async ({ pool, baseUrl }: Pick<Deps, 'pool' | 'baseUrl'>, caller: PersonOrKey) => {
  const sight = sightOf(caller)
  const [sums, runs] = await Promise.all([sumRepositories(pool, sight), recentRuns(pool, sight, recentShown)])
  return { ...sums, ...present({ recent_runs: runs.map((run) => shapeRun(baseUrl, run)) }) }
}
