import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { playLoad } from '../locks/load.ts'
import { checkJournal, deadlocks } from '../locks/read-history.ts'
import { openPlace } from '../walks/place.ts'
import { type Proof, wholeNumber } from './proof.ts'

/** However many take and give back locks at the same moment: one holds each at a time, and acquisitions are numbered upwards. */
export const locks: Proof = {
  usage: `locks [--operations N] [--seed N] [--json]

Has manual runs and pull requests take, give back, release and close the same stacks through two instances, until N locks (100,000)
were asked for or given back. Then the journal of each lock is read by a checker of its own: never two holders, nothing given back by another
than the holder unless a person released it, and numbers of acquisitions that only grow. --json: the last line is a report.
`,
  minutes: 90,
  options: ['operations', 'seed'],
  flags: ['json'],
  prove: async (ground, { operations, seed }, flags) => {
    const tell = (line: string): void => (flags.has('json') ? console.error(line) : console.log(line))
    const begun = performance.now()
    const place = await openPlace(ground.databaseUrl, 6)
    ground.later(place.close)
    const load = await playLoad(place, {
      ...{ operations: wholeNumber(operations, 100_000), seed: wholeNumber(seed, 1), atOnce: 6, tell },
    })
    const history = await checkJournal(place.pool)
    const circles = await deadlocks(place.pool)
    const broken = [
      ...load.broken,
      ...history.broken,
      ...place.instances.outOfOrder(),
      ...(circles > 0 ? [`${circles} times transactions waited for each other in a circle`] : []),
      ...circlesIn(readFileSync(join(ground.postgresDir, 'server.log'), 'utf8')),
    ]
    for (const line of broken.slice(0, 20)) tell(line)
    const seconds = Math.round((performance.now() - begun) / 1000)
    console.log(
      JSON.stringify({ proof: 'locks', seconds, ...load, ...history, deadlocks: circles, broken: broken.slice(0, 20) }),
    )
    return broken.length === 0
  },
}

/** What Postgres says of each: who waited for whom, with which statements. */
const circlesIn = (log: string): string[] =>
  [...log.matchAll(/ERROR: {2}deadlock detected\n(?:.*\n){0,40}?(?=\d{4}-)/g)].map(([text]) => text.slice(0, 4000))
