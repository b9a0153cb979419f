import t from 'tap'
import { nextDelay } from '../../../ui/live/rhythm.ts'

t.test('what moves is asked for each second, what waits less often', async (t) => {
  t.same(
    (['moving', 'waiting', 'list', 'over'] as const).map((pace) => nextDelay(pace, undefined)),
    [1000, 5000, 10_000, 30_000],
  )
})

t.test('after failures the delays double up to 30 s, spread by a quarter', async (t) => {
  t.same(
    [1, 2, 3, 4, 5, 6, 100].map((inARow) => nextDelay('moving', { inARow, spread: 0.5 })),
    [2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000],
  )
  t.same(
    [0, 1].map((spread) => nextDelay('moving', { inARow: 2, spread })),
    [3000, 5000],
  )
})
