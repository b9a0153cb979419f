import { playJob } from '#test/helpers/runner.ts'
import type { World } from '#test/helpers/world.ts'
import { openPull, query, stack } from '#test/scenes/scene.ts'
import type { CallerName } from './callers.ts'
import type { Known } from './values.ts'

/** A pull request with its newest run, whose jobs are those that the fuzz's tokens are of. */
export type Place = {
  repo: string
  number: number
  sha: string
  runId: string
  keys: readonly string[]
  stackIds: readonly string[]
  /** The newest manual run of an API key, of one stack. */
  manual?: { runId: string; key: string }
}

/** Of the workflow that all jobs of the fuzz belong to. */
const workflowRunId = 8000

const keys = Array.from({ length: 24 }, (_, index) => `stacks/s${index}`)

/** Pull requests of the same stacks, each with a run that plans them: some are reported, most are not. */
export const settlePlaces = async (world: World, count: number): Promise<Place[]> => {
  const places: Place[] = []
  for (let each = 0; each < count; each += 1) {
    const pull = await openPull(world, {})
    const job = playJob(world, pull, { workflowRunId })
    const runId = String((await job.open()).body.run_id)
    const graph = { stacks: keys.map((key) => stack(key)) }
    const { status, body } = await job.upload(runId, { graph, stacks: keys })
    if (status !== 200) throw new Error(JSON.stringify(body))
    for (const key of keys.slice(0, each * 4)) await job.report(runId, key)
    const rows = await query(world, `select stack_id from run_stacks where run_id = '${runId}' order by key`)
    const stackIds = rows.map((row) => String(row.stack_id))
    places.push({ repo: world.repository.fullName, number: pull.number, sha: pull.headSha(), runId, keys, stackIds })
  }
  await world.settled()
  return places
}

/** What the fields and parameters of a request about this place are called. */
export const knownOf = ({ repo, number, sha, runId, keys, stackIds }: Place): Known => {
  const [owner, name] = repo.split('/')
  return {
    ...{ run: [runId], run_id: [runId], stack: stackIds, stack_id: stackIds, key: keys, stack_key: keys },
    ...{ name: ['policy', 'plan'], kind: ['run', 'stack', 'lock', 'dispatch'], owner: [owner], repo: [name, repo] },
    ...{ sha: [sha], pr_number: [number], pr: [number], limit: [1, 50, 500], mode: ['plan', 'apply', 'drift'] },
  }
}

/** The place as a caller acts on it: an API key reports to its own runs. */
export const placeFor = (place: Place, caller: CallerName): Place =>
  caller === 'key' && place.manual ? { ...place, runId: place.manual.runId, keys: [place.manual.key] } : place

/** Later requests are about the run that a request has begun. */
export const noteRun = (
  place: Place,
  caller: CallerName,
  { run_id: runId }: { run_id: string },
  key: unknown,
): void => {
  if (caller === 'runner') place.runId = runId
  else if (typeof key === 'string') place.manual = { runId, key }
}
