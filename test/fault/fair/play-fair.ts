import { until } from '#test/helpers/until.ts'
import type { World } from '#test/helpers/world.ts'
import { answersTo } from '#test/scenes/commenting.ts'
import { openPull, planning } from '#test/scenes/scene.ts'
import { openLife } from '../life/open-life.ts'

/** Times in milliseconds of one organisation's requests: comments to their answer, uploads and results to theirs. */
type Times = Record<'comments' | 'uploads' | 'results', number[]>

/** The 99th percentile of one kind of request, in milliseconds, alone and beside the other organisation. */
export type Fairness = { what: string; before: number; after: number }

type FairOptions = {
  databaseUrl: string
  postgresDir: string
  dataDir: string
  rounds: number
  /** Comments of the organisation whose code host hangs. */
  waiting: number
  tell(line: string): void
  /** Gets what stops each part, the first part first. */
  later(stop: () => Promise<unknown>): void
}

/** Measures one organisation's requests alone, and while another's code host hangs and its comments wait. */
export const playFair = async ({ rounds, waiting, later, ...ground }: FairOptions): Promise<Fairness[]> => {
  const { life } = await openLife(
    {
      ...{ ...ground, pulls: 0, seconds: 0, happenings: [], times: { away: 0, cutOff: 0, frozen: 0 }, seed: 1 },
      ...{ isRough: false, calmSeconds: 0, endSeconds: 0, backOffSeconds: 0 },
      repositories: ['acme/infra', 'globex/infra'],
    },
    later,
  )
  const [theirs, ours] = life.worlds
  if (!theirs || !ours) throw new Error('there are not two organisations')
  const crowd = await openPull(theirs, {})
  const alone = await measured(ours, rounds)
  const hung = life.github.faults.add({ kind: 'request', path: /\/repos\/acme\//, effect: 'hang-before' })
  for (let each = 0; each < waiting; each += 1) crowd.comment('svc help', 'rob')
  // the emulator delivers one after another, which the code host does not: the others' deliveries would wait there, and not with us
  await life.github.deliveriesSettled()
  const beside = await measured(ours, rounds)
  hung.remove()
  return Object.keys(alone).map((what) => ({
    what,
    before: p99(alone[what as keyof Times]),
    after: p99(beside[what as keyof Times]),
  }))
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
