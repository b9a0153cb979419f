import { setTimeout as wait } from 'node:timers/promises'
import type { WorkflowRunHandle } from '#emulator/handles.ts'
import type { PlayedRun } from '#emulator/people/play-workflow-run.ts'
import { type Answer, retried } from '#test/helpers/runner.ts'
import type { World } from '#test/helpers/world.ts'
import { type DispatchedJob, dispatchedJob } from '#test/scenes/dispatched.ts'
import { stacksOf } from '../runners.ts'
import { type Life, newDuration, patience } from './life.ts'

export type Runners = { stop(): Promise<void> }

/** Runs all dispatches in any repository, as `svc apply` on a runner does, until stopped. */
export const startRunners = (life: Life): Runners => {
  const seen = new Set<number>()
  const atWork = new Map<string, number>()
  const playing = new Set<Promise<void>>()
  let stopped = false
  const loop = async (): Promise<void> => {
    while (!stopped) {
      for (const world of life.worlds) {
        for (const run of world.repository.workflowRuns()) {
          const { event, status } = run.now()
          if (event !== 'workflow_dispatch' || status === 'completed' || seen.has(run.id)) continue
          seen.add(run.id)
          const played = playDispatch({ life, world, atWork }, run)
            .catch((error: Error) => void life.broken.push(`workflow run ${run.id}: ${error.message}`))
            .finally(() => playing.delete(played))
          playing.add(played)
        }
      }
      await wait(50)
    }
  }
  const done = loop()
  return {
    stop: async () => {
      stopped = true
      await done
      await Promise.all(playing)
    },
  }
}

type Place = { life: Life; world: World; atWork: Map<string, number> }

const playDispatch = async (place: Place, run: WorkflowRunHandle): Promise<void> => {
  const played = run.play()
  const ends: boolean[] = []
  for (const key of stacksOf(run)) ends.push(await playStack(place, played, key))
  played.complete(ends.every(Boolean) ? 'success' : 'failure')
}

/** Whether the job ended well. */
const playStack = async ({ life, world, atWork }: Place, played: PlayedRun, key: string): Promise<boolean> => {
  const runId = played.inputs.run_id ?? ''
  const name = `${world.repository.fullName}//${key}`
  const behaviour = life.behaviours.get(name)
  const job = dispatchedJob(world, played, 'default')
  const times = behaviour === 'sends all twice' ? [1, 2] : [1]
  for (const _ of times)
    await ask(life, `${key} of run ${runId} was not let in`, () => job.join(runId, { stacks: [key] }))
  const other = atWork.get(name)
  if (other !== undefined)
    life.broken.push(`${name} was changed by workflow runs ${other} and ${played.id} at the same time`)
  atWork.set(name, played.id)
  // the time that terraform takes
  await wait(100 + (played.id % 7) * 50)
  atWork.delete(name)
  if (behaviour === 'dies') return false
  const hasFailed = behaviour === 'fails'
  const result = { duration_ms: newDuration(), ...(hasFailed ? failure : {}) }
  for (const _ of times) await report(life, job, { runId, key, result })
  return !hasFailed
}

const failure = { status: 'failure', exit_code: 1, has_changes: false, error_text: 'Error: it did not work' }

const report = async (
  life: Life,
  job: DispatchedJob,
  { runId, key, result }: { runId: string; key: string; result: { duration_ms: number } },
): Promise<void> => {
  const answer = await ask(life, `${key} of run ${runId} was not taken`, () => job.report(runId, key, result))
  if (answer.status === 200)
    life.reported.push({ runId, key, status: answer.body.status, durationMs: result.duration_ms })
}

const ask = async (life: Life, complaint: string, request: () => Promise<Answer>): Promise<Answer> => {
  const answer = await retried(request, patience(life))
  if (answer.status !== 200) life.broken.push(`${complaint}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer
}
