import t from 'tap'
import { until } from '#test/helpers/until.ts'
import { createNews } from '#workers/queue/news.ts'

t.test('rare news is told at once; of much at once the first four, and one more for all others', async (t) => {
  let told = 0
  let now = 0
  const news = createNews(
    () => {
      told += 1
    },
    () => now,
  )
  for (let count = 1; count <= 4; count += 1) {
    news()
    t.equal(told, count)
  }
  for (let count = 0; count < 100; count += 1) news()
  t.equal(told, 4)
  now += 30
  await until(() => told === 5)
  now += 29
  news()
  t.equal(told, 5, 'not before its time')
  now += 1
  await until(() => told === 6)
  now += 1000
  news()
  t.equal(told, 7, 'at once again')
})
