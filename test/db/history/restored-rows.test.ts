import t from 'tap'
import { createRestoredRows } from '#db/history/restored-rows.ts'
import { createPool } from '#db/pool.ts'
import { testDatabase } from '#test/helpers/database.ts'
import { testLog as log } from '#test/helpers/instance.ts'

t.test('all that look at archived runs at once share one pool', async (t) => {
  const { url } = await testDatabase(t)
  const pool = await createPool(url, { log })
  t.teardown(() => pool.end())
  const restored = createRestoredRows(url, pool, { log, size: 3 })
  t.teardown(() => restored.stop())
  const opened = await Promise.all([1, 2, 3, 4].map(() => restored.open()))
  t.equal(new Set(opened).size, 1)
})
