import t from 'tap'
import { testDatabase } from '#test/helpers/database.ts'
import { openPlace } from './place.ts'
import { type Kill, playAndLook, playWhole } from './story.ts'

/** How often the service is killed in this test; `npm run proof -- crash` kills it at every step. */
const kills = { start: 1, story: 4 }

const { url: databaseUrl } = await testDatabase(t)
const place = await openPlace({ databaseUrl, dataDir: t.testdir() })
t.teardown(() => place.close())

t.test('killed at any step and started again, the service brings the story to the same end', async (t) => {
  const { ending, steps } = await playWhole(place)
  t.match(ending, { runs: [{ status: 'superseded' }, { status: 'planned' }], left: [] })
  t.equal(ending.checks.length, 12)
  t.equal(ending.comments.length, 1)
  for (const phase of ['start', 'story'] as const) {
    for (let count = 0; count < kills[phase]; count++) {
      // not to the very end: a faster machine polls the queue less often on the way, and polls are steps too
      const step = Math.round(((count + 0.5) / kills[phase]) * steps[phase] * 0.85)
      const kill: Kill = { in: phase, step }
      const { killedAt, ...played } = await playAndLook(place, kill)
      const name = `at step ${step} of ${steps[phase]} of the ${phase}: ${killedAt}`
      t.ok(killedAt, name)
      t.same(played, { ending, broken: [] }, name)
    }
  }
})
