import { openPlace } from '../walks/place.ts'
import { playWalks } from '../walks/play-walks.ts'
import { again, held, twice } from '../walks/scripts.ts'
import { type Proof, wholeNumber } from './proof.ts'

/** Whatever happens in whatever order, over real HTTP: the service shows what a small reference model says. */
export const walks: Proof = {
  usage: `walks [--walks N] [--seed N] [--json]

Takes three walks by script, for what dice rarely lead to, and N random walks (10,000) of the whole system from this seed (1) on: pull requests that change the same stacks, two
instances of the service in processes of their own, which are killed now and then, news that comes late, twice or never, jobs that report in any order,
a code host that refuses and does not answer. After each step what the service shows is compared with a model made from docs/interface.md.
A walk that goes wrong is printed with its seed, and is repeated with --seed N --walks 1. --json: the last line is a report.
`,
  minutes: 150,
  options: ['walks', 'seed'],
  flags: ['json'],
  prove: async (ground, { walks: count, seed: first }, flags) => {
    const tell = (line: string): void => (flags.has('json') ? console.error(line) : console.log(line))
    const from = wholeNumber(first, 1)
    const total = wholeNumber(count, 10_000)
    const place = await openPlace(ground.databaseUrl, repositoryCount)
    ground.later(place.close)
    const report = await playWalks(place, {
      seeds: Array.from({ length: total }, (_, index) => from + index),
      length: walkLength,
      scripts: [again, twice, held],
      tell,
    })
    report.broken.push(...place.instances.outOfOrder())
    const { missed, reachable } = report.coverage
    for (const name of missed) tell(`missed: ${name}`)
    for (const name of reachable) tell(`listed as out of reach, and reached: ${name}`)
    for (const line of report.broken) tell(line)
    console.log(JSON.stringify({ proof: 'walks', seed: from, ...report }))
    const isCovered = total < coveringWalks || missed.length + reachable.length === 0
    return report.broken.length === 0 && isCovered
  },
}

/** A seed belongs to a repository by this number: another would make other walks of it. */
const repositoryCount = 24
const walkLength = 16
/** So many take every transition that walks can take. */
const coveringWalks = 10_000
