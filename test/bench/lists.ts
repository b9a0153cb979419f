import { lists, withQuery } from '#test/helpers/lists.ts'
import type { Bench, Measurement } from './harness/measure.ts'
import { type Side, startSide } from './lists/side.ts'

/*
 * A page of 50 over HTTP, of each list, the first and one far down, and the overview, over a long history and a short one: the cost
 * of a page must not depend on what came before it. SVC_BENCH_RUNS sets the length of the long one; with 1000000 there are 50,000
 * stacks and five million transitions, and the seeding alone takes some minutes.
 */

const short = 10_000
const long = Number(process.env.SVC_BENCH_RUNS ?? 100_000)
if (!Number.isInteger(long) || long <= short) throw new Error(`SVC_BENCH_RUNS must be an integer above ${short}`)

// the same repositories and stacks on both sides, so both measure the same page; with a million runs 50,000 stacks
const sizes = (runs: number) => ({
  runs,
  stacks: Math.max(5000, long / 20),
  journal: runs * 5,
  // one in 500 is of the rare action, and both sides should have two pages of it
  audit: Math.max(60_000, runs),
  repositories: 200,
})

/** Requests to each side in a round: enough for a median that one slow request does not move. */
const requests = 60
const names = { long: `${long.toLocaleString('en')} runs`, short: `${short.toLocaleString('en')} runs` }

let sides: Promise<Record<'long' | 'short', Side>> | undefined
const started = () => {
  sides ??= (async () => {
    const progress = (text: string): void => console.error(text)
    const short_ = await startSide('lists_short', sizes(short), progress)
    return { short: short_, long: await startSide('lists_long', sizes(long), progress) }
  })()
  return sides
}

const measured = new Set<string>()

/** The groups share both sides: the last measured group stops them. */
const teardown = (group: string, all: readonly string[]) => async (): Promise<void> => {
  measured.add(group)
  const only = process.argv.includes('--group')
  if (!only && measured.size < all.length) return
  const { long, short } = await started()
  await long.stop()
  await short.stop()
}

type Wanted = { path: string; by: 'automation' | 'person'; deep: boolean }

const ends = ['long', 'short'] as const
type End = (typeof ends)[number]

const medianOf = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

const measurement = ({ path, by, deep }: Wanted, stop: () => Promise<void>): Measurement => {
  const paths = { long: path, short: path }
  const medians: Record<End, number[]> = { long: [], short: [] }
  /** Asks both sides in turn, request by request: other work on the machine slows both alike. */
  const round = async (): Promise<void> => {
    const asked = await started()
    const times: Record<End, number[]> = { long: [], short: [] }
    for (let i = 0; i < requests; i += 1) {
      for (const end of i % 2 === 0 ? ends : ends.toReversed()) {
        const began = performance.now()
        await asked[end].get(paths[end], by)
        times[end].push((performance.now() - began) * 1000)
      }
    }
    for (const end of ends) medians[end].push(medianOf(times[end]))
  }
  const cost = (end: End) => async (): Promise<number> => {
    if (medians[end].length === 0) await round()
    return medians[end].shift() ?? 0
  }
  return {
    ours: names.long,
    setup: async () => {
      const { long, short } = await started()
      if (!deep) return
      paths.long = withQuery(path, { cursor: await long.deep(path) })
      paths.short = withQuery(path, { cursor: await short.deep(path) })
    },
    contenders: { [names.long]: cost('long'), [names.short]: cost('short') },
    teardown: stop,
  }
}

const groupsOf = ([name, path]: [string, string]): [group: string, Wanted][] => {
  const groups: [string, Wanted][] = [
    [`${name}, first page`, { path, by: 'automation', deep: false }],
    [`${name}, deep page`, { path, by: 'automation', deep: true }],
  ]
  // the queue is for administrators
  if (name !== 'queue') groups.push([`${name}, first page, a person`, { path, by: 'person', deep: false }])
  return groups
}

const overview = { path: '/v1/overview', deep: false } as const

const wanted: [group: string, Wanted][] = [
  ...Object.entries(lists).flatMap(groupsOf),
  ['overview', { ...overview, by: 'automation' }],
  ['overview, a person', { ...overview, by: 'person' }],
]
const all = wanted.map(([group]) => group)

const bench: Bench = {
  name: 'lists',
  unit: 'µs/page',
  about:
    'A page of 50 of each list over HTTP, the first and one far down, and the overview, over a long history of SVC_BENCH_RUNS runs; against the same over a short one.',
  groups: Object.fromEntries(wanted.map(([group, one]) => [group, measurement(one, teardown(group, all))])),
}

export default bench
