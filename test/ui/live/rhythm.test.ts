import t from 'tap'
import { nextDelay } from '../../../ui/live/rhythm.ts'

t.test('what moves is asked for each second, what waits less often', async (t) => {
  t.same(
    (['moving', 'waiting', 'list', 'over'] as const).map((pace) => nextDelay(pace, 0, 0.9)),
    [1000, 5000, 10_000, 30_000],
  )
})

t.test('after failures the delays double up to 30 s, spread by a quarter', async (t) => {
  t.same(
    [1, 2, 3, 4, 5, 6, 100].map((failures) => nextDelay('moving', failures, 0.5)),
    [2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000],
  )
  t.same(
    [0, 1].map((random) => nextDelay('moving', 2, random)),
    [3000, 5000],
  )
})
