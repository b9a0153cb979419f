import { playJob } from '#test/helpers/runner.ts'
import { until } from '#test/helpers/until.ts'
import { openPull, query, stack } from '#test/scenes/scene.ts'
import type { Deed } from './deed.ts'
import type { Loop } from './open-loop.ts'

const mostMs = 60_000

type Pull = Awaited<ReturnType<typeof openPull>>

/** What ends the plan of many stacks at once, before any of them is reported. */
const ends: Readonly<Record<string, (pull: Pull, run: { complete(how: 'cancelled'): void }) => unknown>> = {
  'whose workflow run is cancelled': (_, run) => run.complete('cancelled'),
  'that a push supersedes': (pull) => pull.push({ 'notes/newer.md': 'newer\n' }),
}

export const endingDeeds = (loop: Loop, stacks: number): Deed[] =>
  Object.entries(ends).map(([name, end]) => ({
    name: `${stacks} stacks ${name}`,
    do: async () => {
      const pull = await openPull(loop.world, {})
      const run = await pull.playWorkflowRun()
      const job = playJob(loop.world, pull, { workflowRunId: run.id })
      const runId = String((await job.open()).body.run_id)
      const keys = Array.from({ length: stacks }, (_, index) => `s/${index}`)
      const { status, body } = await job.upload(runId, {
        graph: { stacks: keys.map((key) => stack(key)) },
        stacks: keys,
      })
      if (status !== 200) throw new Error(`${name}: ${JSON.stringify(body).slice(0, 300)}`)
      await end(pull, run)
      const late = performance.now() + mostMs
      await until(async () => performance.now() > late || (await openStacks(loop, runId)) === 0)
      const left = await openStacks(loop, runId)
      if (left > 0) throw new Error(`${left} stacks are still open`)
    },
  }))

const openStacks = async ({ world }: Loop, runId: string): Promise<number> => {
  const [row] = await query(
    world,
    `select count(*) from run_stacks where run_id = '${runId}' and status in ('pending', 'planning')`,
  )
  return Number(row?.count)
}
