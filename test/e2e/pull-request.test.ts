import t from 'tap'
import { playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'

const stack = (key: string) => ({ key, path: key })
const dependsOn = (from: string, to: string) => ({
  from: { kind: 'stack', key: from },
  to: { kind: 'stack', key: to },
  type: 'depends_on',
})

const files = {
  'svc.yml': 'version: 1\n',
  'network/main.tf': '# network\n',
  'cluster/main.tf': '# cluster\n',
  'app/main.tf': '# app\n',
}

const graph = {
  stacks: [stack('network'), stack('cluster'), stack('app')],
  edges: [dependsOn('cluster', 'network'), dependsOn('app', 'cluster')],
}

t.test('a pull request becomes a planned run, with check runs and one comment', async (t) => {
  const world = await startWorld(t, { files })
  const pull = await world.github.openPullRequest({
    repo: 'acme/infra',
    branch: 'wider',
    title: 'Wider network',
    author: 'ada',
    changes: { 'network/main.tf': '# wider\n' },
  })
  const job = playJob(world, pull)
  const opened = await job.open()
  t.equal(opened.status, 201)
  t.match(opened.body, {
    existing: false,
    status: 'pending',
    run: { sha: pull.headSha(), pr_number: 1, trigger: 'pull_request' },
  })
  const again = await job.open()
  t.equal(again.status, 200)
  t.match(again.body, { existing: true, run_id: opened.body.run_id })

  const id = opened.body.run_id
  const resolved = await job.upload(id, { graph, changed_paths: ['network/main.tf'] })
  t.equal(resolved.status, 200)
  t.same(resolved.body.waves, [['network'], ['cluster'], ['app']])
  t.match(resolved.body.affected, [
    { key: 'network', reasons: ['changed'] },
    { key: 'cluster', reasons: ['dependent'], via: ['network'] },
    { key: 'app', reasons: ['dependent'], via: ['cluster'] },
  ])
  t.same((await job.upload(id, { graph, changed_paths: ['network/main.tf'] })).body, resolved.body)

  const reading = await job.get(`/v1/runs/${id}`)
  t.match(reading.body, { status: 'planning', waves: 3, stacks: [{ key: 'network', status: 'planning' }, {}, {}] })
  for (const key of ['network', 'cluster'])
    t.match(await job.report(id, key), { status: 200, body: { key, status: 'planned' } })
  const last = await job.report(id, 'app', { exit_code: 0, has_changes: false, summary: undefined })
  t.match(last, { status: 200, body: { status: 'noop' } })
  t.match(await job.report(id, 'network'), { status: 200, body: { status: 'planned' } }, 'a repeat is answered again')
  t.match(await job.report(id, 'network', { exit_code: 1 }), { status: 409, body: { code: 'conflict' } })
  t.match(
    await job.get(`/v1/runs/${id}`),
    { status: 409, body: { code: 'conflict' } },
    'a finished run can be read no more',
  )

  await world.settled()
  const checks = pull.checkRuns()
  t.same(checks.map((check) => check.name).sort(), [
    'svc/plan',
    'svc/plan: app',
    'svc/plan: cluster',
    'svc/plan: network',
    'svc/resolve',
  ])
  t.ok(checks.every((check) => check.status === 'completed' && check.conclusion === 'success'))
  const comments = pull.comments()
  t.equal(comments.length, 1)
  t.match(comments[0]?.body, /network/)
})

t.test('a second push supersedes the first run, and a late result for it is refused', async (t) => {
  const world = await startWorld(t, { files })
  const pull = await world.github.openPullRequest({
    repo: 'acme/infra',
    branch: 'twice',
    title: 'Twice',
    author: 'ada',
    changes: { 'app/main.tf': '# one\n' },
  })
  const first = playJob(world, pull)
  const old = pull.headSha()
  const { run_id: firstRun } = (await first.open()).body
  await first.upload(firstRun, { graph, changed_paths: ['app/main.tf'] })
  await pull.push({ 'app/main.tf': '# two\n' })
  t.match(await first.open(old), { status: 409, body: { code: 'superseded' } }, 'a job of the old head gets no run')

  const second = playJob(world, pull)
  const { run_id: secondRun } = (await second.open()).body
  t.not(secondRun, firstRun)
  t.match(await first.report(firstRun, 'app'), { status: 409, body: { code: 'superseded' } })
  t.match(await first.get(`/v1/runs/${firstRun}`), { status: 409, body: { code: 'superseded' } })
  await world.settled()
  const conclusions = pull.checkRuns(old).map((check) => check.conclusion)
  t.ok(
    conclusions.length > 0 && conclusions.every((conclusion) => conclusion === 'cancelled' || conclusion === 'success'),
  )
})

t.test('a cycle is answered 200 with its spelling, and the run fails', async (t) => {
  const world = await startWorld(t, { files })
  const pull = await world.github.openPullRequest({
    repo: 'acme/infra',
    branch: 'round',
    title: 'Round',
    author: 'ada',
    changes: { 'network/main.tf': '# round\n' },
  })
  const job = playJob(world, pull)
  const { run_id: id } = (await job.open()).body
  const circular = { ...graph, edges: [...graph.edges, dependsOn('network', 'app')] }
  const resolved = await job.upload(id, { graph: circular, changed_paths: ['network/main.tf'] })
  t.equal(resolved.status, 200)
  t.equal(resolved.body.cycles.length, 1)
  t.match(resolved.body.cycles[0], /app → cluster → network → app/)
  t.match(await job.get(`/v1/runs/${id}`), { status: 409 })
  await world.settled()
  const resolve = pull.checkRuns().find((check) => check.name === 'svc/resolve')
  t.equal(resolve?.conclusion, 'failure')
})
