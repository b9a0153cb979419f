import t from 'tap'
import { movedTableNames } from '#db/moving/moved-tables.ts'
import { sql } from '#db/sql.ts'
import { archived } from '#test/commands/history/archived-story.ts'
import { startWorld } from '#test/helpers/world.ts'
import { comment, newestRun, planned } from '#test/scenes/commenting.ts'
import { dispatched, dispatchedJob, withWorkflow } from '#test/scenes/dispatched.ts'
import { addKey, query, send } from '#test/scenes/scene.ts'
import { allRows, emptyService, exported, imported, livedIn, movedTo, statusOf } from './moving-story.ts'

t.test('an installation goes on at another service, with every row it had', async (t) => {
  const story = await livedIn(t)
  const { world, open, planId } = story
  const before = await story.answers()
  const other = await emptyService(t)
  await other.pool.query(sql.unsafe`
    insert into jobs (queue, kind, key, state, payload, finished_at)
    select 'jobs', 'publish_run', n::text, 'done', '{}', now() from generate_series(1, 2000) n`)
  const { file, ending, id } = await exported(t, world.pool)
  const { header, rows } = await imported(other.pool, file)
  t.same(rows, ending.rows)
  t.match(header, { installation: { id, account: 'acme' } })

  const here = await allRows(world.pool, id)
  const there = await allRows(other.pool, id)
  for (const table of movedTableNames) t.same(there[table], here[table], table)
  const isEmpty = (table: string) => here[table]?.length === 0
  const twice = await other.pool.any(sql.unsafe`select id from jobs group by id having count(*) > 1`)
  t.same(twice, [], 'a job is told from those that were there: a worker takes them by their ids')
  t.same(movedTableNames.filter(isEmpty), [], 'every table has rows that could have been lost')

  t.match(await comment(world, open.pull, 'svc apply'), { answers: [] }, 'the old service takes nothing more')
  const oldKey = await addKey(world, 'old')
  const unlock = { repo: 'acme/infra', stack_key: 'b', reason: 'x' }
  t.match(await send(world, oldKey, '/v1/unlock', unlock), {
    status: 403,
    body: { message: /moved to another service/ },
  })
  t.match(await open.job.report(open.id, 'd'), { status: 403 })

  const moved = await movedTo(t, world, other)
  const key = await addKey(moved)
  t.match(await send(moved, key, '/v1/repos'), { status: 200, body: { items: [{ full_name: 'acme/infra' }] } })
  const said = await comment(moved, open.pull, 'svc apply')
  t.match(said, { reactions: ['eyes', 'rocket'] }, said.answers.join('\n'))
  const applyId = await newestRun(moved, open.pull, 'apply')
  const played = (await dispatched(moved, applyId)).play()
  t.match(await dispatchedJob(moved, played, 'default').report(applyId, 'd'), { status: 200 })
  played.complete('success')
  await moved.settled()
  t.equal(await statusOf(moved, applyId), 'applied')
  t.match(await send(moved, key, `/v1/runs/${planId}`), { status: 200, body: { archived: true } }, 'from the bucket')
  t.match(before.get(`/v1/runs/${planId}`), { body: { archived: true } })
  const order = `select (select max(entry) from journal where run_id = '${applyId}') >
    (select max(entry) from journal where run_id <> '${applyId}') as last`
  t.match(await query(moved, order), [{ last: true }], 'what comes is numbered after what came along')
  t.match(await query(moved, `select count(*)::int as dead from jobs where state = 'dead'`), [{ dead: 0 }])

  for (const stack_key of ['b', 'd'])
    await send(moved, key, '/v1/unlock', { repo: 'acme/infra', stack_key, reason: 'x' })
  await moved.settled()
  while (await archived({ ...story, deps: { ...story.deps, pool: other.pool } }));
  t.match(await query(moved, 'select count(*)::int as rows from run_stacks'), [{ rows: 0 }])
  for (const run of [planId, applyId])
    t.match(await send(moved, key, `/v1/runs/${run}`), { status: 200, body: { archived: true, stacks: [{}] } })
})

t.test('an installation goes on under the id that it gets where the app is installed anew', async (t) => {
  const world = await startWorld(t)
  const installation = world.github.createInstallation({ account: 'beta', type: 'Organization' })
  const files = { ...withWorkflow, 'svc.yml': '{ version: 1, apply: { approvals: 0 } }\n' }
  const repository = await world.github.createRepository({ owner: 'beta', name: 'infra', files })
  repository.setPermission('rob', 'write')
  const beta = { ...world, repository }
  await world.settled()
  const open = await planned(beta, ['a'])
  const other = await emptyService(t)
  const { file, id } = await exported(t, world.pool, { account: 'beta' })
  const moved = await movedTo(t, beta, other)
  installation.uninstall()
  await moved.settled()
  const { id: anew } = world.github.createInstallation({ account: 'beta', type: 'Organization' })
  t.not(anew, id)
  await moved.settled()
  await imported(other.pool, file)
  const [before, after] = [await allRows(world.pool, id), await allRows(other.pool, anew)]
  for (const table of ['runs', 'run_stacks', 'results', 'journal', 'graphs', 'stacks'])
    t.same(
      after[table],
      before[table]?.map((row) => row.replace(`"installation_id": ${id}`, `"installation_id": ${anew}`)),
      table,
    )
  await moved.settled()
  t.match(await comment(moved, open.pull, 'svc apply'), { reactions: ['eyes', 'rocket'] })
  const applyId = await newestRun(moved, open.pull, 'apply')
  const job = dispatchedJob(moved, (await dispatched(moved, applyId)).play(), 'default')
  t.match(await job.report(applyId, 'a'), { status: 200 })
  await moved.settled()
  t.equal(await statusOf(moved, applyId), 'applied')
  t.match(await query(moved, 'select distinct installation_id from runs'), [{ installation_id: anew }])
})
