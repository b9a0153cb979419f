import t from 'tap'
import { makeMonths } from '#commands/history/make-months.ts'
import { monthsHere, strayRows } from '#db/history/partitions.ts'
import { monthAfter } from '#domain/month.ts'
import { createLog } from '#log.ts'
import { query, send } from '#test/scenes/scene.ts'
import { archived, archivedStory, monthOf } from './archived-story.ts'

t.test('a push to a pull request whose plan is archived leaves its month in the bucket', async (t) => {
  const story = await archivedStory(t)
  const { world, pull, key, planId } = story
  await archived(story)
  const before = await send(world, key, `/v1/runs/${planId}/timeline`)
  await pull.push({ 'notes/later.md': 'later\n' })
  await world.settled()
  t.match(await strayRows(world.pool), { rows: 0, first: null })
  t.match(await send(world, key, `/v1/runs/${planId}`), { body: { status: 'planned', archived: true } })
  t.same((await send(world, key, `/v1/runs/${planId}/timeline`)).body.entries, before.body.entries)
})

t.test('rows that come to a run whose month is in the bucket keep that month, and no later one', async (t) => {
  const story = await archivedStory(t)
  const { world, deps, planId } = story
  await archived(story)
  await query(
    world,
    `insert into journal (installation_id, kind, run_id, subject_id, seq, event, actor, state_to, actions, at)
     select installation_id, 'run', id, id, 99, '{"type": "x"}', 'test', 'superseded', '[]', now() from runs
     where id = '${planId}' returning 1`,
  )
  await makeMonths({ ...deps, clock: { now: () => new Date() } })
  const month = monthOf(story)
  t.match((await monthsHere(world.pool)).slice(0, 2), [month, monthAfter(month)])
  const lines: string[] = []
  const log = createLog({ level: 'warn', format: 'json' }, { write: (line: string) => void lines.push(line) })
  t.equal(await archived(story, { log }), false)
  const left = await monthsHere(world.pool)
  t.ok(left.includes(month), 'no row is lost')
  t.notOk(left.includes(monthAfter(month)), 'the next month is not held up')
  t.match(
    lines.map((line) => JSON.parse(line)),
    [{ month, example: planId, msg: /rows that no archive has/ }],
  )
})
