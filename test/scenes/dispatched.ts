import { readFile } from 'node:fs/promises'
import type { WorkflowRunHandle } from '#emulator/handles/workflow-run-handle.ts'
import type { PlayedRun } from '#emulator/people/play-workflow-run.ts'
import type { Answer } from '#test/helpers/runner.ts'
import { until } from '#test/helpers/until.ts'
import type { World } from '#test/helpers/world.ts'
import { beginApplyOf } from './applying.ts'
import { planning, query } from './scene.ts'

const workflow = await readFile(new URL('../../src/runner/workflows/svc-run.yml', import.meta.url), 'utf8')

export const runFile = '.github/workflows/svc-run.yml'

/** Where the code host takes dispatches, for faults. */
export const dispatchesPath = '/repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches'

/** A repository whose default branch has the workflow that the service dispatches. */
export const withWorkflow = { 'svc.yml': 'version: 1\n', [runFile]: workflow }

/** A clock that runs with the machine's and can be set forward by a test. */
export const shiftingClock = () => {
  let shift = 0
  return {
    now: () => new Date(Date.now() + shift),
    forward: (minutes: number) => {
      shift += minutes * 60_000
    },
    /** Tokens use the machine's time. */
    back: () => {
      shift = 0
    },
  }
}

const inputsOf = (run: WorkflowRunHandle) => run.now().inputs

/** The workflow runs that were dispatched for a run, by wave and part. */
export const dispatchedFor = ({ repository }: World, runId: string): WorkflowRunHandle[] =>
  repository
    .workflowRuns()
    .filter((run) => inputsOf(run).run_id === runId)
    .sort((a, b) => Number(inputsOf(a).wave) - Number(inputsOf(b).wave))

/** The workflow run of a wave, once it exists and its dispatch is bound to it. */
export const dispatched = async (world: World, runId: string, wave = '0'): Promise<WorkflowRunHandle> => {
  const find = () => dispatchedFor(world, runId).find((run) => inputsOf(run).wave === wave)
  await until(async () => find() !== undefined)
  await world.settled()
  return find()!
}

/** A planned pull request, and an apply of it whose first wave is out. */
export const dispatchedApply = async (world: World, waves: string[][], edges: object[] = [], result: object = {}) => {
  const plan = await planning(world, waves.flat(), edges)
  for (const key of waves.flat()) await plan.job.report(plan.id, key, result)
  const applyId = await beginApplyOf(world, { pull: plan.pull, waves, planRunId: plan.id, environment: 'prod' })
  const run = await dispatched(world, applyId)
  return { ...plan, applyId, run, played: run.play() }
}

export type DispatchedJob = {
  ask(path: string, body?: unknown): Promise<Answer>
  /** POST /v1/runs. */
  join(runId: string, body?: object): Promise<Answer>
  report(runId: string, key: string, result?: object): Promise<Answer>
}

/** A job of a dispatched workflow run, with a fresh token for each request. `claims` replace those that GitHub would sign. */
export const dispatchedJob = (
  { service }: World,
  played: PlayedRun,
  environment: string | null = 'prod',
  claims: Record<string, unknown> = {},
): DispatchedJob => {
  const job = played.job('stack', environment === null ? {} : { environment })
  const ask = async (path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${service.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${await job.token('http://svc.example.com', claims)}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  return {
    ask,
    join: (runId, body = {}) => ask('/v1/runs', { run_id: runId, ...body }),
    report: (runId, key, result = {}) =>
      ask(`/v1/runs/${runId}/stacks/${encodeURIComponent(key)}/result`, { ...applied, ...result }),
  }
}

const applied = { mode: 'apply', status: 'success', exit_code: 0, has_changes: true }

/** `state` of each dispatch of a run, by wave and part. */
export const dispatchStates = async (world: World, runId: string): Promise<string[]> => {
  const rows = await query(
    world,
    `select wave, part, state from dispatches where run_id = '${runId}' order by wave, part`,
  )
  return rows.map(({ wave, part, state }) => `${wave}.${part} ${state}`)
}

/** Until the first dispatch of a run is in a state. */
export const untilDispatchIs = (world: World, runId: string, state: string): Promise<void> =>
  until(async () => (await dispatchStates(world, runId)).includes(`0.1 ${state}`))

/** Status of a run and of each of its stacks. */
export const standing = async (world: World, runId: string): Promise<string> => {
  const [run] = await query(world, `select status from runs where id = '${runId}'`)
  const stacks = await query(world, `select key, status from run_stacks where run_id = '${runId}' order by wave, key`)
  return `${run?.status}: ${stacks.map(({ key, status }) => `${key} ${status}`).join(', ')}`
}

export const warningsOf = async (world: World, runId: string): Promise<string[]> => {
  const [run] = await query(world, `select warnings from runs where id = '${runId}'`)
  return run?.warnings.map(({ message }: { message: string }) => message)
}
