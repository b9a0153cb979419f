import { Client } from 'pg'
import t from 'tap'
import { monthsHere } from '#db/history/partitions.ts'
import { until } from '#test/helpers/until.ts'
import { query } from '#test/scenes/scene.ts'
import { archived, archivedStory, monthOf } from './archived-story.ts'

t.test('runs are noted before the tables are locked, and one that changes between both is kept', async (t) => {
  const story = await archivedStory(t)
  const { world, planId } = story
  const steps: string[] = []
  const pool = await story.pool((step) => void steps.push(step))
  const holder = new Client({ connectionString: world.env.DATABASE_URL })
  await holder.connect()
  t.teardown(() => holder.end())
  await holder.query(`begin; update runs set rev = rev + 1 where id = '${planId}';
    update run_stacks set wave = wave where run_id = '${planId}'`)
  const archiving = archived(story, { pool })
  await until(() => steps.some((step) => step.startsWith('before lock table')))
  await holder.query('commit')
  t.equal(await archiving, true, 'it goes on later')
  t.ok((await monthsHere(world.pool)).includes(monthOf(story)))
  t.same(await query(world, 'select run_id from archived_runs where dropped'), [])

  while (await archived(story));
  t.notOk((await monthsHere(world.pool)).includes(monthOf(story)))
  const noted = steps.findIndex((step) => /before\s+update archived_runs/.test(step))
  t.ok(noted >= 0 && noted < steps.findIndex((step) => step.startsWith('before lock table')))
})
