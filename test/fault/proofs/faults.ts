import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { query } from '#test/scenes/scene.ts'
import { openAgeingWorld } from '../ageing-world.ts'
import { type Pair, pairs, playPair } from '../pairs.ts'
import { type Ground, type Proof, wholeNumber } from './proof.ts'
import { emptyDatabase } from './server.ts'

/** Whatever two things go wrong, an apply ends as the tables say. */
export const faults: Proof = {
  usage: `faults [--every N] [--from K] [--only A,B] [--json]

Plays an apply during which two things go wrong, for any two mishaps of test/fault/mishaps/mishaps.ts, or for every Nth pair.
--from: begins with the Kth pair, after a part that was played before.
--only: the pairs whose names contain all of these words, separated by commas.
--json: the last line is a report.
`,
  minutes: 300,
  options: ['every', 'from', 'only'],
  flags: ['json'],
  prove: async (ground, { every, from, only }, flags) => {
    const tell = (line: string): void => (flags.has('json') ? console.error(line) : console.log(line))
    const [step, first] = [wholeNumber(every, 1), wholeNumber(from, 1)]
    const words = only?.split(',') ?? []
    const chosen = pairs.filter(
      (pair, index) => index + 1 >= first && index % step === 0 && words.every((word) => nameOf(pair).includes(word)),
    )
    tell(`${chosen.length} of ${pairs.length} pairs`)
    const begun = performance.now()
    const broken: { pair: string; wrong: string[] }[] = []
    let played = 0
    const hear = (pair: Pair, wrong: string[]): void => {
      if (wrong.length > 0) {
        broken.push({ pair: nameOf(pair), wrong })
        tell([nameOf(pair), ...wrong].join('\n    '))
      }
      played += 1
      const each = ((performance.now() - begun) / 1000 / played).toFixed(1)
      if (played % 20 === 0 || played === chosen.length)
        tell(
          `${played} played, ${played - broken.length} ended as the tables say, ${broken.length} otherwise; ${each} s each`,
        )
    }
    const parts = partsOf(chosen).entries()
    const playParts = async (): Promise<void> => {
      for (const [number, part] of parts) await playPart(await worldAt(ground, number), part, hear)
    }
    await Promise.all(Array.from({ length: worldsAtOnce }, playParts))
    const seconds = Math.round((performance.now() - begun) / 1000)
    if (flags.has('json')) console.log(JSON.stringify({ proof: 'faults', seconds, pairs: chosen.length, broken }))
    return broken.length === 0
  },
}

/**
 * So many pairs have a world of their own: time passes for all that is in one, and all of it is compared after each pair. In one for all, the
 * eight hundredth took five times as long as the first.
 */
const ofOneWorld = 50

/** A pair mostly waits: for the next look, for an answer that never comes. In one world after the other all of them took two hours and a half. */
const worldsAtOnce = 3

/** Minutes for which an installation that did not answer at the service's start, on a machine that was busy, is left alone. */
const shortPause = 1

const playPart = async (
  at: Parameters<typeof openAgeingWorld>[0],
  part: readonly Pair[],
  hear: (pair: Pair, wrong: string[]) => void,
): Promise<void> => {
  const world = await openAgeingWorld(at)
  while ((await query(world, 'select from repositories')).length === 0) await world.pass(shortPause)
  for (const pair of part) hear(pair, await playPair(world, pair).catch((error: Error) => [error.message]))
  await world.close()
}

const partsOf = (chosen: readonly Pair[]): (readonly Pair[])[] =>
  Array.from({ length: Math.ceil(chosen.length / ofOneWorld) }, (_, part) =>
    chosen.slice(part * ofOneWorld, (part + 1) * ofOneWorld),
  )

const worldAt = async ({ databaseUrl, dataDir }: Ground, number: number) => {
  const at = join(dataDir, `world-${number}`)
  await mkdir(at)
  return { databaseUrl: await emptyDatabase(databaseUrl, `faults_${number}`), dataDir: at }
}

const nameOf = ([one, other]: Pair): string => `${one.name}, and ${other.name}`
