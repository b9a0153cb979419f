import t from 'tap'
import { send } from '#test/scenes/scene.ts'
import { archived, archivedStory, whole } from './archived-story.ts'

t.test('whichever step fails, no row is lost, and the next attempt goes on', async (t) => {
  const story = await archivedStory(t)
  const before = whole(await story.answers())
  const path = `/v1/runs/${story.applyId}`
  for (let step = 1; ; step += 1) {
    let taken = 0
    const pool = await story.pool(() => {
      taken += 1
      if (taken === step) throw new Error('cut off')
    })
    const isCut = await archived(story, { pool }).then(
      () => false,
      () => true,
    )
    if (!isCut) {
      t.ok(step > 30, `${step} steps`)
      break
    }
    t.match(await send(story.world, story.key, path), { status: 200, body: { status: 'failed' } }, `step ${step}`)
  }
  t.same(whole(await story.answers()), before)
})
