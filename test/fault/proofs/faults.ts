import { openAgeingWorld } from '../ageing-world.ts'
import { type Pair, pairs, playPair } from '../pairs.ts'
import { type Proof, wholeNumber } from './proof.ts'

/** Whatever two things go wrong, an apply ends as the tables say. */
export const faults: Proof = {
  usage: `faults [--every N] [--from K] [--only A,B]

Plays an apply during which two things go wrong, for any two mishaps of test/fault/mishaps/mishaps.ts, or for every Nth pair.
--from: begins with the Kth pair, after a part that was played before.
--only: the pairs whose names contain all of these words, separated by commas.
`,
  options: ['every', 'from', 'only'],
  prove: async (ground, { every, from, only }) => {
    const [step, first] = [wholeNumber(every, 1), wholeNumber(from, 1)]
    const words = only?.split(',') ?? []
    const chosen = pairs.filter(
      (pair, index) => index + 1 >= first && index % step === 0 && words.every((word) => nameOf(pair).includes(word)),
    )
    console.log(`${chosen.length} of ${pairs.length} pairs`)
    const world = await openAgeingWorld(ground)
    const begun = performance.now()
    let failed = 0
    for (const [index, pair] of chosen.entries()) {
      const wrong = await playPair(world, pair).catch((error: Error) => [error.message])
      if (wrong.length > 0) failed += 1
      if (wrong.length > 0) console.log([nameOf(pair), ...wrong].join('\n    '))
      const played = index + 1
      const each = ((performance.now() - begun) / 1000 / played).toFixed(1)
      if (played % 20 === 0 || played === chosen.length)
        console.log(`${played} played, ${played - failed} ended as the tables say, ${failed} otherwise; ${each} s each`)
    }
    await world.close()
    return failed === 0
  },
}

const nameOf = ([one, other]: Pair): string => `${one.name}, and ${other.name}`
