import t from 'tap'
import { until } from '#test/helpers/until.ts'
import { throttle } from '#workers/queue/throttle.ts'

t.test(
  'what is asked for rarely is done at once; of a hundred times the first four, and once more for all others',
  async (t) => {
    let done = 0
    let now = 0
    const asked = throttle(
      () => {
        done += 1
      },
      () => now,
    )
    for (let count = 1; count <= 4; count += 1) {
      asked()
      t.equal(done, count)
    }
    for (let count = 0; count < 100; count += 1) asked()
    t.equal(done, 4)
    now += 30
    await until(() => done === 5)
    now += 29
    asked()
    t.equal(done, 5, 'not before its time')
    now += 1
    await until(() => done === 6)
    now += 1000
    asked()
    t.equal(done, 7, 'at once again')
  },
)
