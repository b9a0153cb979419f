import { until } from '#test/helpers/until.ts'
import type { World } from '#test/helpers/world.ts'
import { answersTo } from '#test/scenes/commenting.ts'
import { openPull, planning } from '#test/scenes/scene.ts'
import { openLife } from '../life/open-life.ts'
import { type Proof, wholeNumber } from './proof.ts'

/** Times in milliseconds of one organisation's requests: comments to their answer, uploads and results to theirs. */
type Times = Record<'comments' | 'uploads' | 'results', number[]>

/** One organisation is hostile, hung and huge; the other's requests take no more than three times as long. */
export const fair: Proof = {
  usage: `fair [--rounds N] [--json]

Measures N (30) comments, uploads and results of one organisation, alone and then while another's code host hangs and 300 comments of it wait.
The 99th percentile of each may grow to three times, or by 300 ms.
--json: the last line is a report.
`,
  options: ['rounds'],
  flags: ['json'],
  prove: async (ground, { rounds }, flags) => {
    const tell = (line: string): void => (flags.has('json') ? console.error(line) : console.log(line))
    const { life } = await openLife(
      {
        ...{ ...ground, pulls: 0, seconds: 0, happenings: [], times: { away: 0, cutOff: 0, frozen: 0 }, seed: 1 },
        ...{ isRough: false, calmSeconds: 0, endSeconds: 0, backOffSeconds: 0, tell },
        repositories: ['acme/infra', 'globex/infra'],
      },
      ground.later,
    )
    const [theirs, ours] = life.worlds
    if (!theirs || !ours) throw new Error('there are not two organisations')
    const count = wholeNumber(rounds, 30)
    const crowd = await openPull(theirs, {})
    const alone = await measured(ours, count)
    const hung = life.github.faults.add({ kind: 'request', path: /\/repos\/acme\//, effect: 'hang-before' })
    for (let each = 0; each < 300; each += 1) crowd.comment('svc help', 'rob')
    // the emulator delivers one after another, which the code host does not: the others' deliveries would wait there, and not with us
    await life.github.deliveriesSettled()
    const beside = await measured(ours, count)
    hung.remove()
    const figures = Object.keys(alone).map((what) => {
      const [before, after] = [p99(alone[what as keyof Times]), p99(beside[what as keyof Times])]
      return { what, before, after, isFair: after <= Math.max(before * 3, before + 300) }
    })
    const broken = figures.filter(({ isFair }) => !isFair).map(({ what }) => `${what} of the other take too long`)
    console.log(JSON.stringify({ proof: 'fair', rounds: count, figures, broken }))
    return broken.length === 0
  },
}

const p99 = (times: readonly number[]): number => {
  const sorted = [...times].sort((a, b) => a - b)
  return Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0)
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

const measured = async (world: World, count: number): Promise<Times> => {
  const times: Times = { comments: [], uploads: [], results: [] }
  const pull = await openPull(world, {})
  for (let round = 0; round < count; round += 1) {
    const { job, id, graph } = await planning(world, ['a', 'b'])
    times.uploads.push(await timed(() => job.upload(id, { graph, stacks: ['a', 'b'] })))
    times.results.push(await timed(() => job.report(id, 'a')))
    if (round % 3 === 0)
      times.comments.push(
        await timed(async () => {
          const { id: comment } = pull.comment('svc help', 'rob')
          await until(() => answersTo(pull, `comment ${comment}`).length > 0)
        }),
      )
  }
  return times
}
