import t from 'tap'
import { type Answer, playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'
import { disagreements, planning, query, secondInstance } from '#test/scenes/scene.ts'

const world = await startWorld(t)
const other = await secondInstance(t, world)
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort()

/** The same job, asking the other instance. */
const onOther = async (id: string, pull: Parameters<typeof playJob>[1]) => {
  const [{ w } = {}] = await query(world, `select workflow_run_id as w from runs where id = '${id}'`)
  return playJob(other, pull, { workflowRunId: w })
}

t.test('results decide the status of stacks and of their run', async (t) => {
  const cases: [results: object[], stacks: string[], run: string][] = [
    [[{}, {}], ['planned', 'planned'], 'planned'],
    [[{ exit_code: 0, has_changes: false, summary: null }, {}], ['noop', 'planned'], 'planned'],
    [[{ status: 'failure', exit_code: 1 }, {}], ['failed', 'planned'], 'failed'],
    [[{ status: 'error', error_text: 'no token' }, {}], ['failed', 'planned'], 'failed'],
    [[{ unconfirmed: true }, {}], ['unconfirmed', 'planned'], 'unconfirmed'],
    [[{ unconfirmed: true }, { status: 'failure' }], ['unconfirmed', 'failed'], 'failed'],
    [[{ exit_code: 1 }, {}], ['failed', 'planned'], 'failed'],
  ]
  for (const [results, wanted, status] of cases) {
    const { pull, job, id } = await planning(world, ['a', 'b'])
    const answers = [await job.report(id, 'a', results[0]), await job.report(id, 'b', results[1])]
    t.same(
      answers.map(({ body }) => body.status),
      wanted,
      JSON.stringify(results),
    )
    t.match(await query(world, `select status, finished_at is not null as ended from runs where id = '${id}'`), [
      { status, ended: true },
    ])
    if (status === 'planned') continue
    await world.settled()
    const conclusion = status === 'failed' ? 'failure' : 'action_required'
    const of = (name: string) =>
      pull
        .checkRuns()
        .filter((check) => check.name === name)
        .at(-1)?.conclusion
    t.same([of('svc/plan'), of('svc/plan: b')], [conclusion, wanted[1] === 'failed' ? 'failure' : 'success'])
  }
})

t.test('one result, posted by several connections at once, is recorded once', async (t) => {
  const { pull, job, id } = await planning(world, ['a', 'b'])
  const elsewhere = await onOther(id, pull)
  const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? job : elsewhere).report(id, 'a')))
  for (const answer of answers) t.same(answer, answers[0])
  t.equal(answers[0]?.status, 200)
  const [stackRow] = await query(
    world,
    `select count(*) from journal where kind = 'stack' and run_id = '${id}' and event->>'type' = 'result.reported'`,
  )
  t.match(stackRow, { count: 1 })
})

t.test('of different results at once one is recorded, the others are conflicts', async (t) => {
  const { pull, job, id } = await planning(world, ['a', 'b'])
  const elsewhere = await onOther(id, pull)
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      (i % 2 ? job : elsewhere).report(id, 'a', { duration_ms: i, plan_text: `plan ${i}` }),
    ),
  )
  t.same(statuses(answers), [200, ...Array.from({ length: 7 }, () => 409)])
  const won = answers.find(({ status }) => status === 200)?.body.plan_text
  t.equal((await job.get(`/v1/runs/${id}`)).body.stacks[0].plan_text, won)
})

t.test('results that race a newer head are recorded or superseded, never half', async (t) => {
  for (const round of [1, 2]) {
    const keys = Array.from({ length: 12 }, (_, i) => `s${round}-${i}`)
    const { pull, job, id } = await planning(world, keys)
    const elsewhere = await onOther(id, pull)
    await pull.push({ 'notes/more.md': 'more\n' })
    const reports = keys.map((key, i) => (i % 2 ? job : elsewhere).report(id, key))
    const [newer, ...answers] = await Promise.all([playJob(other, pull).open(), ...reports])
    t.equal(newer?.status, 201)
    for (const answer of answers)
      if (answer.status !== 200) t.match(answer, { status: 409, body: { code: 'superseded' } })
    const rows = await query(world, `select status, count(*) from run_stacks where run_id = '${id}' group by status`)
    t.equal(
      rows.reduce((sum, row) => sum + (row.status === 'planned' ? row.count : 0), 0),
      answers.filter(({ status }) => status === 200).length,
    )
    t.ok(rows.every(({ status }) => status === 'planned' || status === 'superseded'))
  }
  t.same(await disagreements(world), [])
})

t.test('a finished plan run takes repeats and nothing else', async (t) => {
  const { job, id, stackPath } = await planning(world, ['a'])
  const verdict = { status: 'warn', summary: 'one line', details: 'a lot' }
  await job.post(`${stackPath('a')}/checks/cost`, verdict)
  const row = await job.report(id, 'a')
  t.same(await job.report(id, 'a'), row, 'the recorded result')
  for (const changed of [
    { exit_code: 0 },
    { plan_text: 'other' },
    { status: 'failure' },
    { unconfirmed: true },
    { duration_ms: 1 },
  ]) {
    t.match(await job.report(id, 'a', changed), { status: 409, body: { code: 'conflict' } }, JSON.stringify(changed))
  }
  t.match(await job.report(id, 'a', { mode: 'apply' }), { status: 400, body: { details: { field: 'mode' } } })
  t.match(
    await job.post(`${stackPath('a')}/checks/cost`, verdict),
    { status: 200, body: { status: 'warn' } },
    'the recorded verdict',
  )
  for (const changed of [
    { status: 'pass' },
    { summary: 'x' },
    { details: 'x' },
    { details_url: 'https://x.example.com/' },
  ]) {
    const answer = await job.post(`${stackPath('a')}/checks/cost`, { ...verdict, ...changed })
    t.match(answer, { status: 409, body: { code: 'conflict' } }, JSON.stringify(changed))
  }
  t.match(
    await job.post(`${stackPath('a')}/checks/new`, verdict),
    { status: 409, body: { code: 'conflict' } },
    'a new one',
  )
  t.match(await job.get(`/v1/runs/${id}`), { status: 409, body: { code: 'conflict' } })
})

t.test('each verdict has its own check run, replaced until the run is finished', async (t) => {
  const { pull, job, id, stackPath } = await planning(world, ['a', 'b'])
  const post = (status: string) => job.post(`${stackPath('a')}/checks/policy`, { status, summary: `it is ${status}` })
  await Promise.all(['pass', 'warn', 'fail'].map(post))
  t.match(await post('fail'), { status: 200, body: { status: 'fail' } })
  await job.report(id, 'a')
  t.match(await post('warn'), { status: 200 }, 'after the stack’s result too, while the run is planning')
  await world.settled()
  const shown = () => pull.checkRuns().filter(({ name }) => name === 'svc/policy: a')
  t.match(shown(), [{ conclusion: 'neutral', title: 'it is warn' }])
  t.match(await post('pass'), { status: 200 })
  await world.settled()
  t.match(shown(), [{ conclusion: 'success' }], 'in its place')
  await pull.push({ 'notes/more.md': 'more\n' })
  await playJob(world, pull).open()
  t.match(await post('pass'), { status: 409, body: { code: 'superseded' } })
})
