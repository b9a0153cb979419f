import t from 'tap'
import { jobClaims, playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'
import {
  dependsOn,
  disagreements,
  opened,
  openPull,
  query,
  secondInstance,
  send,
  stack,
  why,
} from '#test/scenes/scene.ts'

/*
 * Graphs that come again: from a job whose answer was lost, from all jobs run again, from two at once or beside a newer head;
 * and graphs with faults.
 */

const directories = ['net', 'db', 'app', 'api', 'secret']
const world = await startWorld(t, {
  files: {
    'svc.yml': 'version: 1\n',
    ...Object.fromEntries(directories.map((path) => [`${path}/main.tf`, `# ${path}\n`])),
  },
})
const other = await secondInstance(t, world)

const stacks = directories.map((path) => stack(path))

t.test('a repeated upload gets the same answer', async (t) => {
  const { pull, job, id } = await opened(world)
  const upload = { graph: { stacks, tree_hash: `tree-of-${id}` }, changed_paths: ['net/x.tf'] }
  const elsewhere = playJob(other, pull, {
    workflowRunId: Number((await query(world, `select workflow_run_id as w from runs where id = '${id}'`))[0]?.w),
  })
  const answers = await Promise.all(Array.from({ length: 4 }, (_, i) => (i % 2 ? job : elsewhere).upload(id, upload)))
  for (const answer of answers) t.same(answer, answers[0])
  t.match(answers[0], { status: 200, body: { cached: false } })
  await job.report(id, 'net')
  const late = await job.upload(id, upload)
  t.match(
    late,
    { status: 409, body: { code: 'conflict', message: /planned: it takes no graph/ } },
    'once it is planned',
  )
  t.match(await job.upload(id, { ...upload, changed_paths: [] }), { status: 409, body: { code: 'conflict' } })
  t.match(
    (await query(world, `select count(*) from journal where kind = 'run' and run_id = '${id}'`))[0],
    { count: 3 },
    'created, resolved, settled',
  )
})

t.test('a repeated upload is answered at once, whatever its work would wait for', async (t) => {
  const { job, id } = await opened(world)
  const upload = { graph: { stacks }, changed_paths: ['net/x.tf'] }
  const first = await job.upload(id, upload)
  const hung = world.github.faults.add({ kind: 'request', path: /\/pulls\/\d+\/files/, effect: 'hang-before' })
  t.same(await job.upload(id, upload), first)
  hung.remove()
})

t.test('an upload that ends its run is answered again, without the lists that are empty', async (t) => {
  const { job, id } = await opened(world)
  const upload = { graph: { stacks }, changed_paths: [] }
  const first = await job.upload(id, upload)
  t.equal(first.status, 200)
  t.same(Object.keys(first.body).sort(), ['cached', 'run_id'])
  t.match(await query(world, `select status from runs where id = '${id}'`), [{ status: 'planned' }])
  t.same(await job.upload(id, upload), first)
  const other = { graph: { stacks: [stack('net')] }, changed_paths: [] }
  t.match(await job.upload(id, other), { status: 409, body: { code: 'conflict' } })
})

t.test('another upload while planning starts the stacks again', async (t) => {
  const { job, id } = await opened(world)
  await job.upload(id, { graph: { stacks }, changed_paths: ['net/x', 'db/x'] })
  await job.post(`/v1/runs/${id}/stacks/net/checks/cost`, { status: 'fail' })
  await job.report(id, 'net')
  const second = await job.upload(id, { graph: { stacks }, changed_paths: ['net/x', 'api/x'] })
  t.same(why(second), ['api: changed', 'net: changed'])
  const { stacks: rows } = (await job.get(`/v1/runs/${id}`)).body
  t.match(rows, [
    { key: 'api', status: 'planning' },
    { key: 'net', status: 'planning' },
  ])
  for (const field of ['summary', 'plan_text', 'exit_code', 'checks', 'finished_at'])
    t.notOk(field in rows[1], `no ${field} from before`)
  t.match(await job.report(id, 'db'), { status: 404 })
  t.same(await disagreements(world), [])
  const cycle = [dependsOn('net', 'db'), dependsOn('db', 'net')]
  t.match(await job.upload(id, { graph: { stacks, edges: cycle }, changed_paths: ['net/x'] }), {
    status: 200,
    body: { cycles: [/net/] },
  })
  t.match(await query(world, `select status from runs where id = '${id}'`), [{ status: 'failed' }])
  t.same(await disagreements(world), [], 'a cycle too')
})

t.test(
  'all jobs run again take the run over while it is planning, and make a new one when it is finished',
  async (t) => {
    const pull = await openPull(world, {})
    const first = playJob(world, pull, { workflowRunId: 71, attempt: 1 })
    const { run_id: id } = (await first.open()).body
    const upload = { graph: { stacks }, changed_paths: ['net/x', 'db/x'] }
    await first.upload(id, upload)
    await first.report(id, 'net', { duration_ms: 1 })
    // the workflow is cancelled here, and all its jobs are run again
    const second = playJob(world, pull, { workflowRunId: 71, attempt: 2 })
    t.match(await second.open(), { status: 200, body: { run_id: id, existing: true, status: 'planning' } })
    t.match(await first.upload(id, upload), { status: 403 }, 'the earlier attempt is refused')
    t.equal((await second.upload(id, upload)).status, 200)
    t.match(await second.report(id, 'net', { duration_ms: 2 }), { status: 200, body: { status: 'planned' } })
    t.match(await second.report(id, 'db', { duration_ms: 2 }), { status: 200, body: { status: 'planned' } })
    t.match(await second.open(), { status: 200, body: { run_id: id, status: 'planned' } }, 'its own, finished')
    const failedOnly = playJob(world, pull, { workflowRunId: 71, attempt: 3 })
    t.match(
      await failedOnly.report(id, 'db', { duration_ms: 2 }),
      { status: 200 },
      'a job run again may repeat its result',
    )
    t.match(await failedOnly.report(id, 'db', { duration_ms: 3 }), { status: 409, body: { code: 'conflict' } })
    const third = await failedOnly.open()
    t.match(third, { status: 201, body: { existing: false } })
    t.not(third.body.run_id, id)
    t.equal((await failedOnly.upload(third.body.run_id, upload)).status, 200)
    t.same(await disagreements(world), [])
  },
)

t.test('only the workflow run that found the pending run last may upload', async (t) => {
  const pull = await openPull(world, {})
  const [early, late] = [playJob(world, pull), playJob(world, pull)]
  const { run_id: id } = (await early.open()).body
  t.equal((await late.open()).body.run_id, id)
  t.match(await early.upload(id, { graph: { stacks } }), { status: 403, body: { code: 'forbidden' } })
  t.equal((await late.upload(id, { graph: { stacks }, changed_paths: ['net/x'] })).status, 200)
})

t.test('an upload that races a newer head loses, and leaves nothing half done', async (t) => {
  for (const round of [1, 2]) {
    const { pull, job, id } = await opened(world)
    const uploading = job.upload(id, {
      graph: { stacks, tree_hash: `race ${round} ${id}` },
      changed_paths: ['net/x', 'db/x'],
    })
    await pull.push({ 'notes/more.md': 'more\n' })
    const [upload, newer] = await Promise.all([uploading, playJob(other, pull).open()])
    t.equal(newer.status, 201)
    if (upload.status !== 200) t.match(upload, { status: 409, body: { code: 'superseded' } })
    t.match(await query(world, `select status from runs where id = '${id}'`), [{ status: 'superseded' }])
    const open = `select count(*) from run_stacks where run_id = '${id}' and status in ('pending', 'planning')`
    t.match(await query(world, open), [{ count: 0 }])
  }
  t.same(await disagreements(world), [])
})

t.test('of different uploads at once, on two instances, the run follows one', async (t) => {
  const { pull, job, id } = await opened(world)
  const workflowRunId = Number((await query(world, `select workflow_run_id as w from runs where id = '${id}'`))[0]?.w)
  const answers = await Promise.all(
    directories.map((path, i) =>
      (i % 2 ? job : playJob(other, pull, { workflowRunId })).upload(id, {
        graph: { stacks },
        changed_paths: [`${path}/x`],
      }),
    ),
  )
  t.ok(answers.every(({ status }) => status === 200))
  const { stacks: rows } = (await job.get(`/v1/runs/${id}`)).body
  t.equal(rows.length, 1)
  t.ok(directories.includes(rows[0].key))
  t.same(await disagreements(world), [])
})

t.test('any fault in an upload is 400', async (t) => {
  const pull = await openPull(world, {})
  const job = playJob(world, pull, { workflowRunId: 55 })
  const id: string = (await job.open()).body.run_id
  const long = Array.from({ length: 995 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join('')
  const cases: [what: string, upload: object, field: string][] = [
    ['U+0000 in a hash', { graph: { stacks, tree_hash: 'a\0b' } }, 'body'],
    ['U+0000 in a field that is only stored', { graph: { stacks: [stack('net', { environment: 'x\0' })] } }, 'body'],
    ['a hash that no index holds', { graph: { stacks, tree_hash: 'x'.repeat(257) } }, 'graph.tree_hash'],
    ['a key that no index holds', { graph: { stacks: [stack(long)] } }, 'graph.stacks[0].key'],
    ['a base that is not a commit', { graph: { stacks }, base_sha: 'main' }, 'base_sha'],
    ['a path that leads out', { graph: { stacks }, changed_paths: ['../etc/passwd'] }, 'changed_paths[0]'],
    ['an edge to nowhere', { graph: { stacks, edges: [dependsOn('net', 'nowhere')] } }, 'graph.edges[0].to'],
    ['a stack twice', { graph: { stacks: [stack('net'), stack('net')] } }, 'graph.stacks[1].key'],
    [
      'an instance called default',
      { graph: { stacks: [{ key: 'net:Default', path: 'net', instance: 'Default' }] } },
      'graph.stacks[0].instance',
    ],
    ['an invalid configuration', { graph: { stacks }, config: { version: 2 } }, 'config.version'],
  ]
  for (const [what, upload, field] of cases) {
    t.match(await job.upload(id, upload), { status: 400, body: { code: 'invalid', details: { field } } }, what)
  }
  const depth = 20_000
  const deep = `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`
  const graph = { repo: 'acme/infra', sha: pull.headSha(), tree_hash: 't', stacks: [stack('net', { config: 'deep' })] }
  const token = await world.github.mintToken(jobClaims(world, pull.number, { run_id: '55' }))
  const answer = await send(world, token, `/v1/runs/${id}/graph`, JSON.stringify({ graph }).replace('"deep"', deep))
  t.match(answer, { status: 400, body: { details: { field: 'graph.stacks', reason: /too deeply/ } } })
})

t.test('keys of every spelling are reported under their own name', async (t) => {
  const keys = [
    '.',
    '__proto__',
    'constructor',
    'a%2Fb',
    '100%',
    'ä/ö',
    'a b',
    'a:b',
    'a?b#c&d',
    '..a',
    `${'a/'.repeat(499)}b`,
    '🚀'.repeat(490),
  ]
  const { job, id } = await opened(world)
  const graph = { stacks: keys.map((key) => stack(key)), edges: keys.slice(1).map((key) => dependsOn(key, '.')) }
  const answer = await job.upload(id, { graph, stacks: keys })
  t.same(answer.body.waves, [['.'], keys.slice(1).sort()])
  for (const key of keys) {
    // no client can send a segment that is a dot
    const spelled = key === '.' ? './' : key
    t.match(
      await job.post(`/v1/runs/${id}/stacks/${encodeURIComponent(spelled)}/checks/c`, { status: 'pass' }),
      { status: 200 },
      key,
    )
    t.match(await job.report(id, spelled), { status: 200, body: { key, status: 'planned' } }, key)
  }
  t.match(await query(world, `select status from runs where id = '${id}'`), [{ status: 'planned' }])
})
