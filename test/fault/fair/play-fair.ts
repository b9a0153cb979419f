import { until } from '#test/helpers/until.ts'
import type { World } from '#test/helpers/world.ts'
import { answersTo } from '#test/scenes/commenting.ts'
import { openPull, planning } from '#test/scenes/scene.ts'
import { openLife } from '../life/open-life.ts'
import { type Hostility, startHostileUploads } from './hostile-uploads.ts'

/** Times in milliseconds of one organisation's requests: comments to their answer, uploads and results to theirs. */
type Times = Record<'comments' | 'uploads' | 'results', number[]>

/** The 99th percentile of one kind of request, in milliseconds, alone and beside what the other organisation does. */
export type Fairness = { what: string; beside: string; before: number; after: number }

type FairOptions = {
  databaseUrl: string
  postgresDir: string
  dataDir: string
  rounds: number
  /** Comments of the organisation whose code host hangs. */
  waiting: number
  /** What it uploads, and from how many pull requests at once. */
  hostile: readonly Hostility[]
  uploading: number
  tell(line: string): void
  /** Gets what stops each part, the first part first. */
  later(stop: () => Promise<unknown>): void
}

/**
 * Measures one organisation's requests alone; while another's code host hangs and its comments wait; and while that other uploads what
 * takes long, and what is large.
 */
export const playFair = async ({
  rounds,
  waiting,
  hostile,
  uploading,
  later,
  ...ground
}: FairOptions): Promise<Fairness[]> => {
  const { life } = await openLife(
    {
      ...{ ...ground, pulls: 0, seconds: 0, happenings: [], times: { away: 0, cutOff: 0, frozen: 0 }, seed: 1 },
      ...{ isRough: false, calmSeconds: 0, endSeconds: 0, backOffSeconds: 0 },
      // a second one would store another large graph meanwhile, on the same two cores
      ...{ repositories: ['acme/infra', 'globex/infra'], instances: ['A'] },
    },
    later,
  )
  const [theirs, ours] = life.worlds
  if (!theirs || !ours) throw new Error('there are not two organisations')
  const alone = await measured(ours, rounds)
  const figures: Fairness[] = []
  const compare = async (beside: string): Promise<void> => {
    const times = await measured(ours, rounds)
    for (const what of Object.keys(times) as (keyof Times)[])
      figures.push({ what, beside, before: p99(alone[what]), after: p99(times[what]) })
    ground.tell(`beside ${beside}: ${figures.slice(-3).map(told).join(', ')}`)
  }
  const instances = life.instances.map(({ url }) => url)
  for (const what of hostile) {
    const stop = await startHostileUploads(theirs, instances, what, uploading)
    await compare(what)
    ground.tell(`${what} were answered ${JSON.stringify(Object.fromEntries(await stop()))}`)
  }
  const crowd = await openPull(theirs, {})
  const hung = life.github.faults.add({ kind: 'request', path: /\/repos\/acme\//, effect: 'hang-before' })
  for (let each = 0; each < waiting; each += 1) crowd.comment('svc help', 'rob')
  // the emulator delivers one after another, which the code host does not: the others' deliveries would wait there, and not with us
  await life.github.deliveriesSettled()
  await compare('a code host that hangs')
  hung.remove()
  return figures
}

const told = ({ what, before, after }: Fairness): string => `${what} ${after} ms (alone ${before} ms)`

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
  for (let round = 0; round < count; round += 1) {
    const { pull, job, id, graph } = await planning(world, ['a', 'b'])
    // too much to be resolved at once, as the graph of nearly every repository is
    const changed_paths = Array.from({ length: 200 }, (_, index) => `docs/${index}/${round}/a-page-about-it.md`)
    times.uploads.push(await timed(() => job.upload(id, { graph, changed_paths, stacks: ['a', 'b'] })))
    times.results.push(await timed(() => job.report(id, 'a')))
    times.comments.push(
      await timed(async () => {
        const { id: comment } = pull.comment('svc help', 'rob')
        await until(() => answersTo(pull, `comment ${comment}`).length > 0)
      }),
    )
  }
  return times
}
