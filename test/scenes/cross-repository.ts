import { addJobs } from '#db/queue/jobs.ts'
import { makeJob } from '#jobs/job.ts'
import { nudge } from '#test/helpers/nudge.ts'
import { until } from '#test/helpers/until.ts'
import type { World } from '#test/helpers/world.ts'
import { dispatchedFor, dispatchedJob, withWorkflow } from './dispatched.ts'
import { dependsOn, opened, query, send } from './scene.ts'

/** A stack of another repository as it appears in a graph. */
export const external = (qualified: string) => ({ key: qualified, path: 'there', external: true })
export const reads = (from: string, to: string) => ({ ...dependsOn(from, to), type: 'reads_state' })

type Plan = { id: string; repo: string; sha: string; status: string; warnings: { code: string; message: string }[] }

/** Plans made in a repository because of other repositories, oldest first. */
export const plansOf = async (world: World): Promise<Plan[]> => [
  ...((await query(
    world,
    `select id, sha, status, warnings from runs where repo_id = ${world.repository.id} and mode = 'plan' and trigger = 'push'
     order by created_at, id`,
  )) as readonly Plan[]),
]

/** The warnings of a plan. */
export const told = (plan: Plan | undefined): string[] =>
  (plan?.warnings ?? []).map(({ code, message }) => `${code}: ${message}`)

/** What people do with a world's repository and with other repositories beside it; `key` is an API key, which applies. */
export const crossRepositoryScene = (world: World, key: string) => {
  const { github, repository: infra } = world
  /** Makes a graph the one of a repository's default branch, by a merge. */
  const merge = async (at: World, graph: object) => {
    const { pull, job, id } = await opened(at)
    const answer = await job.upload(id, { graph: { tree_hash: pull.headSha(), ...graph }, stacks: [] })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    await pull.merge()
    await world.settled()
  }

  const synchronised = async () => {
    await addJobs(world.pool, [makeJob('sync_installations', {}, { cause: null })])
    await nudge(world.pool)
    await world.settled()
  }

  /** A repository whose default branch has this graph. */
  const repositoryWith = async (fullName: string, graph: object, files: Record<string, string> = withWorkflow) => {
    const [owner = '', name = ''] = fullName.split('/')
    const repository = await github.createRepository({ owner, name, files })
    await synchronised()
    const at: World = { ...world, repository }
    await merge(at, graph)
    return at
  }

  const propagate = async (value: string) => {
    await infra.push({ changes: { 'svc.yml': `version: 1\npropagate: { cross_repo: ${value} }\n` } })
    await world.settled()
  }

  const beginManual = async (stacks: string[]): Promise<string> => {
    const sha = await infra.head()
    const body = { repo: infra.fullName, sha, mode: 'apply', trigger: 'manual', stacks }
    const answer = await send(world, key, '/v1/runs', body)
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.body.run_id
  }

  const reportManual = async (runId: string, name: string, outcome = 'changed') => {
    await send(world, key, `/v1/runs/${runId}/stacks/${encodeURIComponent(name)}/result`, {
      ...{ mode: 'apply', has_changes: outcome === 'changed' },
      ...(outcome === 'failed' ? { status: 'failure', exit_code: 1 } : { status: 'success', exit_code: 0 }),
    })
    await world.settled()
  }

  /** Runs a manual apply of stacks of acme/infra; each ends with the given outcome. */
  const apply = async (outcomes: Record<string, 'changed' | 'same' | 'failed'>): Promise<string> => {
    const id = await beginManual(Object.keys(outcomes))
    for (const [name, outcome] of Object.entries(outcomes)) await reportManual(id, name, outcome)
    return id
  }

  /** Closes a pull request that applied, and releases the locks it leaves. */
  const freed = async (pull: { close(): Promise<void> | void }, stacks: string[]) => {
    await pull.close()
    await world.settled()
    for (const name of stacks)
      await send(world, key, '/v1/unlock', { repo: infra.fullName, stack_key: name, reason: 'done' })
  }

  /** Plays the workflow run of a plan to its end. */
  const play = async (at: World, runId: string, keys: string[], status = 'success') => {
    await until(async () => dispatchedFor(at, runId).length > 0)
    await world.settled()
    const job = dispatchedJob(at, dispatchedFor(at, runId)[0]!.play(), 'default')
    for (const stackKey of keys) {
      const plan = { mode: 'plan', status, exit_code: status === 'success' ? 2 : 1, has_changes: status === 'success' }
      const answer = await job.report(runId, stackKey, plan)
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    }
    await world.settled()
  }
  return { apply, beginManual, freed, merge, play, propagate, reportManual, repositoryWith, synchronised }
}
