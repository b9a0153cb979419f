import { playJob } from '#test/helpers/runner.ts'
import { openPull, stack } from '#test/scenes/scene.ts'
import { askGate } from './ask-gate.ts'
import type { Deed } from './deed.ts'
import type { Loop } from './open-loop.ts'

const lines: Readonly<Record<string, (index: number) => string>> = {
  'plain lines': (index) => `/a/b${index}/c @ada @bob @org/team`,
  wildcards: (index) => `**/*${index}*a*/**/*b* @ada`,
  stars: (index) => `${'*'.repeat(20)}${index} @ada`,
  'owners that are none': (index) => `/a${index} ,,,,,,,, ????? @@@`,
}

/** The gate of a pull request that changes 2,500 long paths, with CODEOWNERS as long as it may be. */
export const codeOwnersDeeds = (loop: Loop): Deed[] =>
  Object.entries(lines).map(([name, line]) => ({
    name: `GET /v1/runs/{id}/gate: CODEOWNERS of 3 MB, ${name}`,
    do: async () => {
      const policy = JSON.stringify({ version: 1, apply: { approvals: 0, code_owners: true } })
      await loop.world.repository.push({ changes: { CODEOWNERS: upTo(3_000_000, line), 'svc.yml': policy } })
      await askGate(loop, await changingMuch(loop))
    },
  }))

const upTo = (chars: number, line: (index: number) => string): string => {
  const wanted = Math.floor(chars / (line(100_000).length + 1))
  return `${Array.from({ length: wanted }, (_, index) => line(index)).join('\n')}\n`
}

const known = new WeakMap<Loop, string>()

/** A planned run of such a pull request; one is enough. */
const changingMuch = async (loop: Loop): Promise<string> => {
  const before = known.get(loop)
  if (before !== undefined) return before
  const path = (index: number): string => `a/b${index}/${'c/'.repeat(80)}abcabc${index}.tf`
  const pull = await openPull(
    loop.world,
    Object.fromEntries(Array.from({ length: 2500 }, (_, index) => [path(index), `# ${index}\n`])),
  )
  const job = playJob(loop.world, pull)
  const runId = String((await job.open()).body.run_id)
  await job.upload(runId, { graph: { stacks: [stack('a')] } })
  await job.report(runId, 'a')
  known.set(loop, runId)
  return runId
}
