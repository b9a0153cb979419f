import t, { type Test } from 'tap'
import { addJobs } from '#db/queue/jobs.ts'
import type { QueuedHandle } from '#emulator/handles/queued-handle.ts'
import { makeJob } from '#jobs/job.ts'
import { jobClaims } from '#test/helpers/runner.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { openPull, planning, query, send, stack } from '#test/scenes/scene.ts'

const world = await startWorld(t, { files: { 'svc.yml': 'version: 1\n', 'a/main.tf': '#\n', 'b/main.tf': '#\n' } })

let workflowRuns = 50_000

/** A job of the queue's workflow run for a group. */
const jobOfGroup = (queued: QueuedHandle, number: number, attempt = 1) => {
  const run_id = String(++workflowRuns)
  const ref = `refs/heads/${queued.group.branch}`
  const workflow_ref = `acme/infra/.github/workflows/svc-plan.yml@${ref}`
  const claims = { event_name: 'merge_group', ref, sha: queued.sha, run_id, run_attempt: String(attempt), workflow_ref }
  const token = () => world.github.mintToken(jobClaims(world, number, { ...claims, job_workflow_ref: workflow_ref }))
  const ask = async (path: string, body?: object) => send(world, await token(), path, body)
  const own = { repo: 'acme/infra', sha: queued.sha, pr_number: number, mode: 'plan' }
  return { ask, open: (body: object = {}) => ask('/v1/runs', { ...own, ...body }) }
}

const planned = async (path: string) => {
  const given = await planning(world, [path])
  await given.job.report(given.id, path)
  await world.settled()
  return given
}

const checkOf = (queued: QueuedHandle, name = 'svc/plan') => queued.checkRuns().findLast((one) => one.name === name)

const passed = (queued: QueuedHandle) => until(() => checkOf(queued)?.conclusion === 'success')

t.test('the very files that were planned are not planned again: svc/plan passes at once', async (t) => {
  const { pull, id } = await planned('a')
  const queued = await pull.enqueue()
  await world.settled()
  t.equal(checkOf(queued)?.conclusion, 'success')
  t.match(checkOf(queued)?.summary, `in run ${id}`)
  const opened = await jobOfGroup(queued, pull.number).open()
  t.match(opened, {
    status: 200,
    body: {
      existing: true,
      status: 'planned',
      run: { sha: queued.sha, trigger: 'pull_request', merge_group: { pr_number: pull.number, base_ref: 'main' } },
    },
  })
  t.notOk('pr_number' in opened.body.run, 'it is no plan of the pull request: nothing is applied from it')
  await queued.merge()
  await world.settled()
  t.match(await query(world, `select status from runs where id = '${opened.body.run_id}'`), [{ status: 'planned' }])
})

t.test('what is merged on top of something else is planned by the queue’s job', async (t) => {
  const first = await planned('a')
  const second = await planned('b')
  const ahead = await first.pull.enqueue()
  const queued = await second.pull.enqueue({ behind: ahead })
  await world.settled()
  t.equal(checkOf(queued)?.status, 'queued', 'svc/plan is there before the job is')
  const job = jobOfGroup(queued, second.pull.number)
  const opened = await job.open({ base_sha: queued.group.baseSha })
  t.match(opened, { status: 200, body: { existing: true, status: 'pending' } }, 'the run that the webhook began')
  const id = opened.body.run_id
  const graph = {
    repo: 'acme/infra',
    sha: queued.sha,
    tree_hash: 'q',
    stacks: [stack('a'), stack('b')],
    modules: [],
    edges: [],
  }
  const config = { version: 1, tool: 'terraform' }
  const changed_paths = ['b/main.tf']
  t.match(await job.ask(`/v1/runs/${id}/graph`, { graph, config, changed_paths }), {
    status: 200,
    body: { affected: [{ key: 'b' }], matrix: { include: [{ key: 'b', sha: queued.sha }] } },
  })
  const result = { mode: 'plan', status: 'success', exit_code: 2, has_changes: true }
  t.match(await job.ask(`/v1/runs/${id}/stacks/b/result`, result), { status: 200, body: { status: 'planned' } })
  await passed(queued)
  await until(() => checkOf(queued, 'svc/plan: b')?.conclusion === 'success')
  t.match(await job.ask(`/v1/runs/${id}`), { status: 409 }, 'as for a pull request, a finished plan is read no more')
  t.match(await job.ask(`/v1/runs/${second.id}`), { status: 403 }, 'nor the plan of the pull request')
  const before = await query(world, `select status from runs where id = '${second.id}'`)
  t.match(before, [{ status: 'planned' }], 'the plan of the pull request is not replaced')
})

t.test('news of a group that was taken apart says nothing about the one that took its place', async (t) => {
  const ahead = await (await planned('a')).pull.enqueue()
  const { pull } = await planned('b')
  const former = await pull.enqueue({ behind: ahead })
  await world.settled()
  const loss = { kind: 'webhook', event: 'merge_group', action: 'destroyed', effect: 'lose', times: 1 } as const
  const lost = world.github.faults.add(loss)
  await former.giveUp('dequeued')
  await pull.push({ 'b/more.tf': '#\n' })
  const queued = await pull.enqueue({ behind: ahead })
  await world.settled()
  lost.remove()
  t.equal(queued.group.branch, former.group.branch)
  const statusOf = async (sha: string) =>
    (await query(world, `select status from runs where sha = '${sha}'`))[0]?.status
  t.equal(await statusOf(queued.sha), 'pending')
  await addJobs(world.pool, [makeJob('reconcile', { what: 'deliveries' }, { cause: null })])
  await until(async () => (await statusOf(former.sha)) === 'superseded')
  await world.settled()
  t.equal(await statusOf(queued.sha), 'pending')
})

const wrong = async (t: Test) => {
  const { pull } = await planned('a')
  const other = await openPull(world, { 'b/main.tf': '# other\n' })
  const queued = await pull.enqueue()
  const gone = await other.enqueue()
  await gone.giveUp()
  await world.settled()
  const job = jobOfGroup(queued, pull.number)
  const cases: [string, () => ReturnType<typeof job.open>, object][] = [
    ['another commit', () => job.open({ sha: pull.headSha() }), { status: 403, body: { code: 'forbidden' } }],
    ['another pull request', () => job.open({ pr_number: 4711 }), { status: 403, body: { code: 'forbidden' } }],
    ['another repository', () => job.open({ repo: 'acme/other' }), { status: 403, body: { code: 'forbidden' } }],
    ['an apply', () => job.open({ mode: 'apply' }), { status: 400, body: { details: { field: 'mode' } } }],
    ['no commit', () => job.open({ sha: undefined }), { status: 400, body: { details: { field: 'sha' } } }],
    [
      'a group that is gone',
      () => jobOfGroup(gone, other.number).open(),
      { status: 409, body: { code: 'superseded' } },
    ],
  ]
  for (const [what, ask, answer] of cases) t.match(await ask(), answer, what)
}
t.test('the token says which group a job plans', wrong)

t.test('a group that is taken apart is waited for no longer', async (t) => {
  const first = await planned('a')
  const second = await planned('b')
  const queued = await second.pull.enqueue({ behind: await first.pull.enqueue() })
  await world.settled()
  await queued.giveUp('invalidated')
  await world.settled()
  t.equal(checkOf(queued)?.conclusion, 'cancelled')
  const again = await jobOfGroup(queued, second.pull.number).open()
  t.match(again, { status: 409, body: { code: 'superseded' } })
})

t.test(
  'a queue whose workflow does not run on merge_group fails with the reason, and not after an hour in silence',
  async (t) => {
    const first = await planned('a')
    const second = await planned('b')
    const queued = await second.pull.enqueue({ behind: await first.pull.enqueue() })
    await world.settled()
    await query(world, `update runs set created_at = created_at - interval '31 minutes' where sha = '${queued.sha}'`)
    await addJobs(world.pool, [makeJob('reconcile', { what: 'runs' }, { cause: null })])
    await world.settled()
    await until(() => checkOf(queued)?.conclusion === 'failure')
    t.match(checkOf(queued)?.summary, /svc-plan\.yml on the default branch must run on merge/)
  },
)

t.test('a pull request that was never planned here has no svc/plan in the queue either', async (t) => {
  const pull = await openPull(world, { 'notes.md': 'hello\n' })
  const queued = await pull.enqueue()
  await world.settled()
  t.same(queued.checkRuns(), [])
})
