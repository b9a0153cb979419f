import t from 'tap'
import { mishaps } from './mishaps/mishaps.ts'
import { pairs, playPair } from './pairs.ts'
import { playAlone, testedWorld } from './play-alone.ts'

/* Requests that the code host refuses, does not answer, or answers too late, some alone; and some pairs. */

const world = await testedWorld(t)

playAlone(t, world, mishaps.requests)

t.test('two of all together', async (t) => {
  // far apart in the list, so different kinds meet
  for (const place of [0.13, 0.37, 0.61, 0.89]) {
    const [one, other] = pairs[Math.floor(place * pairs.length)]!
    t.same(await playPair(world, [one, other]), [], `${one.name}, and ${other.name}`)
  }
})
