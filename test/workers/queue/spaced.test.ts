import t from 'tap'
import { until } from '#test/helpers/until.ts'
import { createSpaced } from '#workers/queue/spaced.ts'

t.test('who asks first is served at once', async (t) => {
  let times = 0
  createSpaced(60_000, () => times++).ask()
  t.equal(times, 1)
})

t.test('all who ask soon after it was done are served together, when the time is over', async (t) => {
  let times = 0
  const spaced = createSpaced(30, () => times++)
  const began = performance.now()
  spaced.done()
  spaced.ask()
  spaced.ask()
  t.equal(times, 0)
  await until(() => times > 0)
  t.ok(performance.now() - began >= 29, 'not before')
  t.equal(times, 1, 'once')
})
