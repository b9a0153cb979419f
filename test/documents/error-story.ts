import { type PlayedJob, playJob } from '#test/helpers/runner.ts'
import type { World } from '#test/helpers/world.ts'
import { openPull, query } from '#test/scenes/scene.ts'
import type { Asked } from './recorder.ts'

type Told = {
  world: World
  /** The run of a pull request that was merged. */
  runId: string
  record: (asked: Asked) => Promise<unknown>
  /** The job whose token the runner's requests carry from here on. */
  play: (job: PlayedJob) => void
}

/**
 * The errors that do not occur in the story of the API, each with its own cause: a job that is not the run's, a head that was
 * replaced, a policy that cannot be read, a code host that is down, a stored graph that is damaged. The last leaves the
 * database in a state that should never occur: nothing comes after it.
 */
export const tellErrorStory = async ({ world, runId, record, play }: Told): Promise<void> => {
  const { github, repository } = world
  const pull = await openPull(world, { 'data/main.tf': '# new\n' })
  play(playJob(world, pull, { workflowRunId: 7102 }))
  await record({ operation: 'GET /v1/runs/{id}', as: 'runner', path: `/v1/runs/${runId}` })

  const register = { repo: repository.fullName, sha: pull.headSha(), pr_number: pull.number, mode: 'plan' }
  await pull.push({ 'data/main.tf': '# newer\n' })
  await record({ operation: 'POST /v1/runs', as: 'runner', path: '/v1/runs', body: register })

  const sha = await repository.head()
  const body = { repo: repository.fullName, sha, mode: 'apply', trigger: 'manual', stacks: ['data'] }
  const startApply = () => record({ operation: 'POST /v1/runs', as: 'key', path: '/v1/runs', body })
  const config = 'version: 1\n'
  await repository.push({ changes: { 'svc.yml': `${config}aply:\n  mode: on_merge\n` } })
  await world.settled()
  await startApply()
  await repository.push({ changes: { 'svc.yml': config } })
  await world.settled()

  const path = '/repos/{owner}/{repo}/contents/{path}'
  const outage = github.faults.add({ kind: 'request', path, effect: { status: 502, message: 'Server Error' } })
  await startApply()
  outage.remove()

  await query(world, `update graphs set body = left(body, 100) returning id`)
  await startApply()
}
