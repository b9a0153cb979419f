import { decodeJwt } from 'jose'
import t from 'tap'
import { receiverFor } from '#test/emulator/webhooks/receiver.ts'
import { asInstallation, hubFor } from '../hub.ts'

/* Workflow dispatches, their runs, approvals and re-runs, played by hand where no engine is. */

const file = '.github/workflows/svc-run.yml'

const workflow = `
name: svc run
run-name: "svc \${{ inputs.mode }} \${{ inputs.run_id }} wave \${{ inputs.wave }}"
on:
  workflow_dispatch:
    inputs:
      run_id: { required: true }
      mode: { required: true, type: choice, options: [plan, apply] }
      wave: { default: '1' }
      stacks: {}
jobs: {}
`

const prepare = async (t: Parameters<typeof hubFor>[0], files: Record<string, string> = {}) => {
  const hub = await hubFor(t)
  const { url, received } = await receiverFor(t)
  const { id } = hub.createInstallation({ account: 'acme', type: 'Organization' })
  const repository = await hub.createRepository({
    owner: 'acme',
    name: 'infra',
    files: {
      [file]: workflow,
      '.github/workflows/plan.yml': 'on: pull_request\njobs: {}\n',
      '.github/workflows/broken.yml': 'on: [workflow_dispatch\n',
      ...files,
    },
  })
  await hub.deliveriesSettled()
  hub.setWebhookUrl(url)
  const app = await asInstallation(hub, id)
  const dispatch = (body: unknown, name = 'svc-run.yml', as = app) =>
    as('POST', `/repos/acme/infra/actions/workflows/${name}/dispatches`, body)
  const told = async () => {
    await hub.deliveriesSettled()
    return received
      .splice(0)
      .filter(({ event }) => event.startsWith('workflow_'))
      .map(({ event, payload }) => {
        const thing = (payload.workflow_job ?? payload.workflow_run) as Record<string, unknown>
        return `${event} ${payload.action} ${thing.run_attempt}${thing.conclusion ? ` ${thing.conclusion}` : ''}`
      })
  }
  return { hub, id, repository, app, dispatch, told }
}

const inputs = { run_id: 'r1', mode: 'apply' }

t.test('a good dispatch starts a run, and a bad one is refused with the reason', async (t) => {
  const { hub, id, repository, dispatch } = await prepare(t)
  await repository.push({ branch: 'topic', changes: { [file]: null } })
  await repository.push({ branch: 'topic', changes: { '.github/workflows/new.yml': workflow } })
  const main = { ref: 'main', inputs }
  const many = Object.fromEntries(Array.from({ length: 26 }, (_, at) => [`i${at}`, 'x']))
  const room = 65_535 - JSON.stringify({ ...inputs, stacks: '' }).length
  const cases: [name: string, file: string, body: object, status: number, said?: string | RegExp][] = [
    ['all is well', 'svc-run.yml', main, 204],
    ['no such workflow', 'none.yml', main, 404],
    ['a workflow of another branch only', 'new.yml', { ...main, ref: 'topic' }, 404],
    ['no ref', 'svc-run.yml', { inputs }, 422, /"ref" wasn't supplied/],
    ['an unknown branch', 'svc-run.yml', { inputs, ref: 'none' }, 422, 'No ref found for: none'],
    ['a commit', 'svc-run.yml', { inputs, ref: await repository.head() }, 422, /^No ref found for: [0-9a-f]{40}$/],
    ['a branch without the file', 'svc-run.yml', { inputs, ref: 'topic' }, 422, /does not have 'workflow_dispatch'/],
    ['another trigger', 'plan.yml', { ref: 'main' }, 422, "Workflow does not have 'workflow_dispatch' trigger"],
    ['an unreadable file', 'broken.yml', { ref: 'main' }, 422, "Workflow does not have 'workflow_dispatch' trigger"],
    [
      'undeclared',
      'svc-run.yml',
      { ref: 'main', inputs: { ...inputs, x: '' } },
      422,
      'Unexpected inputs provided: ["x"]',
    ],
    ['missing', 'svc-run.yml', { ref: 'main', inputs: { mode: 'plan' } }, 422, "Required input 'run_id' not provided"],
    ['bad choice', 'svc-run.yml', { ref: 'main', inputs: { ...inputs, mode: 'x' } }, 422, /not in the list of allowed/],
    ['too many', 'svc-run.yml', { ref: 'main', inputs: many }, 422, /No more than 25 properties are allowed; 26/],
    ['just small enough', 'svc-run.yml', { ref: 'main', inputs: { ...inputs, stacks: 'ü'.repeat(room) } }, 204],
    [
      'too large',
      'svc-run.yml',
      { ref: 'main', inputs: { ...inputs, stacks: 'x'.repeat(room + 1) } },
      422,
      'inputs are too large.',
    ],
  ]
  for (const [name, workflow, body, status, said] of cases) {
    const answer = await dispatch(body, workflow)
    t.equal(answer.status, status, name)
    if (said !== undefined) t.match((answer.body as { message: string }).message, said, name)
  }
  await repository.setWorkflow('svc-run.yml', { disabled: true })
  t.match(await dispatch(main), { status: 422, body: { message: /disabled workflow/ } })
  const reader = await asInstallation(hub, id, { permissions: { actions: 'read' } })
  t.match(await dispatch(main, 'svc-run.yml', reader), {
    status: 403,
    body: { message: 'Resource not accessible by integration' },
  })
  t.equal(repository.workflowRuns().length, 2)
})

t.test('a dispatched run: its title, its commit, its webhooks and its jobs’ tokens', async (t) => {
  const { hub, repository, app, dispatch, told } = await prepare(t)
  await repository.push({ branch: 'topic', changes: { 'a.tf': 'a\n' } })
  await hub.deliveriesSettled()
  const answer = await dispatch({ ref: 'topic', inputs, return_run_details: true })
  const [handle] = repository.workflowRuns()
  const url = `acme/infra/actions/runs/${handle?.id}`
  t.match(answer, {
    status: 200,
    body: { workflow_run_id: handle?.id, run_url: `${hub.url}/repos/${url}`, html_url: `${hub.webUrl}/${url}` },
  })
  const tip = await repository.head('topic')
  const show = async () => (await app('GET', `/repos/acme/infra/actions/runs/${handle?.id}`)).body
  t.match(await show(), {
    event: 'workflow_dispatch',
    display_title: 'svc apply r1 wave 1',
    name: 'svc run',
    path: file,
    status: 'queued',
    head_sha: tip,
    head_branch: 'topic',
    actor: { login: 'svc[bot]' },
    pull_requests: [],
  })
  const run = handle!.play()
  t.match(run, { attempt: 1, sha: tip, displayTitle: 'svc apply r1 wave 1', inputs })
  const job = run.job('stack (a)', { environment: 'Prod' })
  t.match(decodeJwt(await job.token('svc')), {
    event_name: 'workflow_dispatch',
    ref: 'refs/heads/topic',
    ref_type: 'branch',
    sha: tip,
    head_ref: '',
    base_ref: '',
    environment: 'Prod',
    workflow_ref: `acme/infra/${file}@refs/heads/topic`,
    job_workflow_ref: `acme/infra/${file}@refs/heads/topic`,
    run_id: String(handle?.id),
    actor: 'svc[bot]',
  })
  t.match(await show(), { status: 'in_progress' })
  job.complete('success')
  run.complete('success')
  t.match(await show(), { status: 'completed', conclusion: 'success' })
  t.strictSame(await told(), [
    'workflow_run requested 1',
    'workflow_run in_progress 1',
    'workflow_job in_progress 1',
    'workflow_job completed 1 success',
    'workflow_run completed 1 success',
  ])
})

t.test('a tag can be dispatched', async (t) => {
  const { repository, dispatch } = await prepare(t)
  await repository.tag('v1')
  t.equal((await dispatch({ ref: 'v1', inputs })).status, 204)
  const [run] = repository.workflowRuns()
  t.match(decodeJwt(await run!.play().token('svc')), { ref: 'refs/tags/v1', ref_type: 'tag' })
})

t.test('runs that were dispatched are found by event and time', async (t) => {
  const { app, dispatch } = await prepare(t)
  const since = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
  await dispatch({ ref: 'main', inputs })
  const list = async (query: string) =>
    (await app('GET', `/repos/acme/infra/actions/workflows/svc-run.yml/runs?${query}`)).body
  const query = `event=workflow_dispatch&branch=main&created=${encodeURIComponent(`>=${since}`)}`
  t.match(await list(query), { total_count: 1, workflow_runs: [{ display_title: 'svc apply r1 wave 1' }] })
  t.match(await list('event=pull_request'), { total_count: 0 })
  const { body } = await app('GET', '/repos/acme/infra/actions/workflows/plan.yml/runs')
  t.match(body, { total_count: 0 }, 'a workflow that never ran has a list all the same')
})

t.test('an environment with reviewers keeps jobs waiting until somebody decides', async (t) => {
  const { hub, repository, app, dispatch, told } = await prepare(t)
  hub.organization('acme').team('ops').add('olga')
  repository.environment('prod', { reviewers: ['ann', 'acme/ops'] })
  await dispatch({ ref: 'main', inputs })
  const [handle] = repository.workflowRuns()
  const run = handle!.play()
  const free = run.job('stack (free)', { environment: 'default' })
  const [first, second] = [run.job('stack (a)', { environment: 'PROD' }), run.job('stack (b)', { environment: 'prod' })]
  t.equal(handle!.now().status, 'in_progress', 'as long as another job runs')
  free.complete('success')
  t.equal(handle!.now().status, 'waiting')
  t.strictSame(handle!.pendingApprovals(), [{ environment: 'prod', jobs: [first.id, second.id] }])
  t.match((await app('GET', `/repos/acme/infra/actions/runs/${run.id}/jobs`)).body, {
    jobs: [{ conclusion: 'success' }, { status: 'waiting' }, { status: 'waiting' }],
  })
  t.throws(() => handle!.approve('prod', 'bob'), /bob is no reviewer of prod/)
  t.throws(() => handle!.approve('other', 'ann'), /no job .* waits for other/)
  handle!.approve('prod', 'olga')
  t.strictSame([await first.begun, await second.begun], [true, true])
  t.equal(handle!.now().status, 'in_progress')
  first.complete('success')
  second.complete('success')
  run.complete('success')
  t.strictSame(
    (await told()).filter((line) => /waiting|run /.test(line)),
    [
      'workflow_run requested 1',
      'workflow_run in_progress 1',
      'workflow_job waiting 1',
      'workflow_job waiting 1',
      'workflow_run completed 1 success',
    ],
  )
})

t.test('a refused environment fails its job; a cancelled run ends what waits', async (t) => {
  const { repository, dispatch, app } = await prepare(t)
  repository.environment('prod', { reviewers: ['ann'] })
  await dispatch({ ref: 'main', inputs })
  await dispatch({ ref: 'main', inputs })
  const [refused, cancelled] = repository.workflowRuns()
  const job = refused!.play().job('stack (a)', { environment: 'prod' })
  refused!.reject('prod', 'ann')
  t.equal(await job.begun, false)
  t.match(refused!.jobs(), [{ status: 'completed', conclusion: 'failure' }])
  cancelled!.play().job('stack (a)', { environment: 'prod' })
  const cancel = () => app('POST', `/repos/acme/infra/actions/runs/${cancelled!.id}/cancel`)
  t.equal((await cancel()).status, 202)
  t.match(cancelled!.now(), { status: 'completed', conclusion: 'cancelled' })
  t.match(cancelled!.jobs(), [{ status: 'completed', conclusion: 'cancelled' }])
  t.strictSame(cancelled!.pendingApprovals(), [])
  t.equal((await cancel()).status, 409)
})

t.test('the app itself can decide if it is a reviewer and has the right', async (t) => {
  const hub = await hubFor(t)
  const permissions = { deployments: 'write', actions: 'write', contents: 'read' } as const
  const { id } = hub.createInstallation({ account: 'acme', type: 'Organization', permissions })
  const repository = await hub.createRepository({ owner: 'acme', name: 'infra', files: { [file]: workflow } })
  hub.organization('acme').team('ops').add('olga')
  repository.environment('prod', { reviewers: ['svc[bot]', 'acme/ops'] })
  repository.environment('live', { reviewers: ['ann'] })
  const app = await asInstallation(hub, id)
  const body = { ref: 'main', inputs }
  await app('POST', '/repos/acme/infra/actions/workflows/svc-run.yml/dispatches', body)
  const [handle] = repository.workflowRuns()
  const run = handle!.play()
  const [prod, live] = [run.job('a', { environment: 'prod' }), run.job('b', { environment: 'live' })]
  const path = `/repos/acme/infra/actions/runs/${handle!.id}/pending_deployments`
  const pending = (await app('GET', path)).body as { environment: { id: number; name: string } }[]
  t.match(pending, [
    { environment: { name: 'prod' }, current_user_can_approve: true, reviewers: [{ type: 'User' }, { type: 'Team' }] },
    { environment: { name: 'live' }, current_user_can_approve: false },
  ])
  const decide = (at: number, state: string) =>
    app('POST', path, { environment_ids: [pending[at]!.environment.id], state, comment: '' })
  t.equal((await decide(1, 'approved')).status, 422)
  t.match(await decide(0, 'approved'), { status: 200, body: [{ environment: 'prod' }] })
  t.equal(await prod.begun, true)
  handle!.reject('live', 'ann')
  t.equal(await live.begun, false)
  t.match(await decide(0, 'approved'), { status: 422, body: { message: /No pending deployment/ } })
})

t.test('re-runs keep the id and raise the attempt; no event reports the request', async (t) => {
  const { repository, dispatch, app, told } = await prepare(t)
  await dispatch({ ref: 'main', inputs })
  const [handle] = repository.workflowRuns()
  const first = handle!.play()
  const [good, bad] = [first.job('stack (a)'), first.job('stack (b)')]
  t.equal((await app('POST', `/repos/acme/infra/actions/runs/${handle!.id}/rerun`)).status, 403, 'not while it runs')
  good.complete('success')
  bad.complete('failure')
  first.complete('failure')
  await told()
  t.equal((await app('POST', `/repos/acme/infra/actions/runs/${handle!.id}/rerun-failed-jobs`)).status, 201)
  t.match(handle!.now(), { attempt: 2, status: 'queued', conclusion: null })
  const second = handle!.play()
  t.match(second, { attempt: 2, sha: first.sha, inputs })
  const again = second.job('stack (b)')
  t.equal(decodeJwt(await again.token('svc')).run_attempt, '2')
  t.match(handle!.jobs(), [
    { id: good.id, attempt: 1 },
    { id: again.id, attempt: 2 },
  ])
  again.complete('success')
  second.complete('success')
  t.strictSame(await told(), [
    'workflow_run in_progress 2',
    'workflow_job in_progress 2',
    'workflow_job completed 2 success',
    'workflow_run completed 2 success',
  ])
  handle!.rerun()
  t.strictSame(handle!.jobs(), [], 'all of them again')
  t.throws(() => handle!.rerun(), /only a completed one/)
})
