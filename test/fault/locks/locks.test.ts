import t from 'tap'
import { testDatabase } from '#test/helpers/database.ts'
import { openPlace } from '../walks/place.ts'
import { playLoad } from './load.ts'
import { checkJournal, deadlocks, lookForCircles } from './read-history.ts'

/* `npm run proof -- locks` plays 100,000 operations. */

t.test('500 locks that are taken and given back have one holder at a time', async (t) => {
  t.setTimeout(120_000)
  const { url } = await testDatabase(t)
  await lookForCircles(url)
  const place = await openPlace(url, 2)
  t.teardown(() => place.close())
  const load = await playLoad(place, { operations: 500, seed: 1, atOnce: 5, tell: () => {} })
  const history = await checkJournal(place.pool)
  t.same([...load.broken, ...history.broken, ...place.instances.outOfOrder()], [])
  t.equal(await deadlocks(place.pool), 0, 'nobody waited in a circle')
  t.ok(load.refused > 0, 'some were refused')
  for (const kind of ['take by key', 'take by pull request', 'result', 'unlock', 'close'])
    t.ok((load.operations[kind] ?? 0) > 0, kind)
  t.ok(history.taken > 50, `${history.taken} were taken`)
  t.comment(JSON.stringify({ ...load, ...history }))
})
