import type { Test } from 'tap'
import { testDatabase } from '#test/helpers/database.ts'
import { type AgeingWorld, openAgeingWorld } from './ageing-world.ts'
import { endingAfter, endingOf } from './apply-ending.ts'
import { playApply } from './apply-story.ts'
import type { Mishap } from './mishaps/mishap.ts'

/** A world for dozens of stories: less than a second each, and several on a busy machine. */
export const testedWorld = async (t: Test): Promise<AgeingWorld> => {
  t.setTimeout(400_000)
  const { url: databaseUrl } = await testDatabase(t)
  const world = await openAgeingWorld({ databaseUrl, dataDir: t.testdir() })
  t.teardown(() => world.close())
  return world
}

/** Tests that every second of these, when nothing else goes wrong, ends as the tables say; the proof plays all of them in pairs. */
export const playAlone = (t: Test, world: AgeingWorld, mishaps: readonly Mishap[]): void => {
  for (const mishap of mishaps.filter((_, index) => index % 2 === 0)) {
    t.test(mishap.name, async (t) => {
      const isMerged = mishap.from === 'merge' || mishap.loss !== undefined
      const told = await playApply(world, [mishap], { isMerged })
      t.same(await endingOf(world, told), endingAfter(mishap.loss ?? {}, isMerged))
      t.same(told.missed, [], 'it did happen')
    })
  }
}
