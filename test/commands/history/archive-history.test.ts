import t from 'tap'
import { monthsHere, strayRows } from '#db/history/partitions.ts'
import { reasonsToWait } from '#db/history/reasons-to-wait.ts'
import { query, send } from '#test/scenes/scene.ts'
import { archived, archivedStory, monthOf, whole } from './archived-story.ts'

t.test('a month goes to the bucket, and every answer about its runs is as before', async (t) => {
  const story = await archivedStory(t)
  const { world, bucket, key, planId, applyId } = story
  const before = await story.answers()
  t.ok(before.size > 50 && [...before.values()].every((one) => (one as { status: number }).status < 500))
  t.notOk(JSON.stringify([...before]).includes('"archived"'))
  const month = monthOf(story)
  t.same(await reasonsToWait(world.pool, { month, gone: new Date() }), [])
  t.equal(await archived(story), false, 'nothing is left to do')
  t.notOk((await monthsHere(world.pool)).includes(month))
  t.match(await query(world, `select count(*)::int as rows from run_stacks`), [{ rows: 0 }])
  t.ok([...bucket.objects.keys()].some((name) => name === `plans/history/${month}/index.ndjson.gz`))

  const after = await story.answers()
  t.same(whole(after), whole(before))
  for (const id of [planId, applyId]) t.match(after.get(`/v1/runs/${id}`), { body: { archived: true } })
  const gets = () => bucket.asked.filter((one) => one.startsWith('GET plans/history')).length
  const read = gets()
  t.same(whole(await story.answers()), whole(before), 'again')
  t.equal(gets(), read, 'what was brought back is kept for a while')

  t.match(await send(world, key, `/v1/runs/${planId}/rerun`, {}), { status: 409, body: { message: /is archived/ } })
})

t.test('what the bucket does not give back as it was written is not dropped', async (t) => {
  const story = await archivedStory(t)
  const { artifacts } = story.deps
  const spoilt: typeof artifacts = {
    ...artifacts,
    put: async (name, object, signal) => {
      const body = Buffer.from(object.body)
      body[body.length - 9] = (body[body.length - 9] ?? 0) ^ 1
      await artifacts.put(name, { ...object, body }, signal)
    },
  }
  await t.rejects(archived(story, { artifacts: spoilt }), /not those that were written/)
  story.bucket.objects.clear()
  const forgetful: typeof artifacts = { ...artifacts, put: async () => {} }
  await t.rejects(archived(story, { artifacts: forgetful }), /is not there/)
  story.bucket.now.mood = 'busy'
  await t.rejects(archived(story), /SlowDown/)
  story.bucket.now.mood = 'well'
  t.ok((await monthsHere(story.world.pool)).includes(monthOf(story)))
  t.match(await query(story.world, 'select count(*)::int as runs from archived_runs'), [{ runs: 0 }])
})

t.test('two at once archive a month once', async (t) => {
  const story = await archivedStory(t)
  const before = whole(await story.answers())
  await Promise.allSettled([archived(story), archived(story)])
  await archived(story)
  t.notOk((await monthsHere(story.world.pool)).includes(monthOf(story)))
  t.same(whole(await story.answers()), before)
})

t.test('a month that may still be needed waits, and those after it', async (t) => {
  const story = await archivedStory(t)
  const { world, applyId } = story
  const month = monthOf(story)
  const reasons = async () => {
    const found = await reasonsToWait(world.pool, { month, gone: new Date(0) })
    t.ok(found.every(({ repo }) => repo === 'acme/infra'))
    return found.map(({ reason }) => reason)
  }
  await query(
    world,
    `update locks set run_id = '${applyId}', state = 'held.changed'
    where stack_id = (select id from stacks where key = 'a') returning 1`,
  )
  t.same(await reasons(), ['a lock is held'])
  await query(world, `update runs set status = 'applying' where id = '${applyId}' returning 1`)
  t.same(await reasons(), ['a lock is held', 'a run is not over'])
  t.equal(await archived(story), false)
  t.match(await query(world, 'select count(*)::int as runs from archived_runs'), [{ runs: 0 }])
})

t.test('a lock that nobody can release any more keeps no month here', async (t) => {
  const story = await archivedStory(t)
  const { world, key, planId, applyId } = story
  await query(
    world,
    `update locks set run_id = '${applyId}', state = 'held.changed',
       snapshot = jsonb_set(snapshot, '{value}', '{"held": "changed"}')
     where stack_id = (select id from stacks where key = 'a') returning 1`,
  )
  // of an account that has left, or whose rows went to another service
  await query(world, 'update installations set suspended_at = now(), paused_at = now() returning 1')
  const month = monthOf(story)
  const reasons = async (gone: Date) => (await reasonsToWait(world.pool, { month, gone })).map(({ reason }) => reason)
  t.same(await reasons(new Date(Date.now() - 60_000)), ['a lock is held'], 'it may come back')
  await archived(story)
  t.notOk((await monthsHere(world.pool)).includes(month))
  await query(world, 'update installations set suspended_at = null, paused_at = null returning 1')
  t.match(await send(world, key, '/v1/unlock', { repo: 'acme/infra', stack_key: 'a', reason: 'done' }), {
    status: 200,
    body: { released: [{ stack_key: 'a' }] },
  })
  await world.settled()
  t.match(await strayRows(world.pool), { rows: 0 }, 'and is released without a row of its run')
  t.match(await send(world, key, `/v1/runs/${planId}`), { status: 200, body: { archived: true } })
})

t.test('an archive that cannot be read is told: not now, or not any more', async (t) => {
  const story = await archivedStory(t)
  const { world, bucket, key, applyId } = story
  await archived(story)
  const read = () => send(world, key, `/v1/runs/${applyId}`)
  bucket.now.mood = 'busy'
  t.match(await read(), { status: 503, body: { code: 'unavailable', message: /cannot be reached/ } })
  bucket.now.mood = 'well'
  for (const name of bucket.objects.keys()) if (name.includes('/history/')) bucket.objects.delete(name)
  t.match(await read(), { status: 404, body: { code: 'not_found', message: /not in the artifact bucket any more/ } })
})

t.test('what changes between its archiving and the end is archived again', async (t) => {
  const story = await archivedStory(t)
  const { world, planId, deps } = story
  let isChanged = false
  const artifacts: typeof deps.artifacts = {
    ...deps.artifacts,
    put: async (name, object, signal) => {
      await deps.artifacts.put(name, object, signal)
      if (isChanged) return
      isChanged = true
      await query(world, `update runs set rev = rev + 1 where id = '${planId}' returning 1`)
      await query(world, `delete from check_runs where run_id = '${story.applyId}' returning 1`)
    },
  }
  while (await archived(story, { artifacts }));
  t.notOk((await monthsHere(world.pool)).includes(monthOf(story)))
  const [row] = await query(
    world,
    `select a.rev = r.rev as same from archived_runs a join runs r on r.id = a.run_id where r.id = '${planId}'`,
  )
  t.same(row, { same: true })
})
