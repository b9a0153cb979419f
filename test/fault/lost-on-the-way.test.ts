import t from 'tap'
import { endingAfter, endingOf } from './apply-ending.ts'
import { playApply } from './apply-story.ts'
import { mishaps } from './mishaps/mishaps.ts'
import { playAlone, testedWorld } from './play-alone.ts'

/* Webhooks, workflow runs and runners that fail, some alone; `npm run proof -- faults` plays each with every other one. */

const world = await testedWorld(t)

t.test('an apply that nothing happens to', async (t) => {
  t.same(await endingOf(world, await playApply(world, [])), endingAfter({}))
})

playAlone(t, world, [...mishaps.webhooks, ...mishaps.jobs])
