import { decodeJwt } from 'jose'
import t from 'tap'
import type {
  ActionsEngine,
  JobUpdate,
  RunConclusion,
  RunnerHost,
  RunningWorkflow,
  WorkflowRequest,
} from '#emulator/actions/contract.ts'
import { type Ask, asInstallation, hubFor } from './hub.ts'
import { receiverFor } from './webhooks/receiver.ts'

/* What triggers workflows, and the records, webhooks and REST answers that an engine's reports lead to. */

type Started = WorkflowRequest & { end(conclusion: RunConclusion): void }

/** An engine that runs nothing: the test reports in its place. */
const recordingEngine = () => {
  const started: Started[] = []
  const hosts: RunnerHost[] = []
  const create = (host: RunnerHost): ActionsEngine => {
    hosts.push(host)
    return {
      start: (request): RunningWorkflow => {
        const { promise, resolve } = Promise.withResolvers<RunConclusion>()
        const end = (conclusion: RunConclusion): void => {
          host.onRun({ id: request.id, attempt: request.attempt, status: 'completed', conclusion })
          resolve(conclusion)
        }
        started.push({ ...request, end })
        return { id: request.id, done: promise, cancel: () => end('cancelled'), killRunner: () => false }
      },
      close: async () => {},
    }
  }
  return { create, started, host: () => hosts[0]! }
}

const workflow = (name: string, on: string) => `name: ${name}\non: ${on}\njobs: {}\n`

const prepare = async (t: Parameters<typeof hubFor>[0], files: Record<string, string>) => {
  const engine = recordingEngine()
  const hub = await hubFor(t, { actions: engine.create, runner: { env: { A: '1' }, path: ['/opt/bin'] } })
  const { url, received } = await receiverFor(t)
  hub.setWebhookUrl(url)
  const installation = hub.createInstallation({ account: 'acme', type: 'Organization' })
  const repository = await hub.createRepository({
    owner: 'acme',
    name: 'infra',
    files: { 'a.tf': 'a\n', ...files },
    vars: { REGION: 'eu' },
  })
  const open = (changes: Record<string, string | null> = { 'a.tf': 'b\n' }) =>
    hub.openPullRequest({ repo: 'acme/infra', branch: 'f', title: 'The title', author: 'ann', changes })
  return { hub, engine, repository, open, received, app: await asInstallation(hub, installation.id) }
}

const plan = '.github/workflows/plan.yml'

t.test('which workflows a pull request starts', async (t) => {
  const { engine, open } = await prepare(t, {
    '.github/workflows/word.yml': workflow('word', 'pull_request'),
    '.github/workflows/list.yaml': workflow('list', '[push, pull_request]'),
    '.github/workflows/map.yml': workflow('map', '{ pull_request: }'),
    '.github/workflows/sync.yml': workflow('sync', '{ pull_request: { types: [synchronize] } }'),
    '.github/workflows/label.yml': workflow('label', '{ pull_request: { types: labeled } }'),
    '.github/workflows/main.yml': workflow('main', '{ pull_request: { branches: [main] } }'),
    '.github/workflows/release.yml': workflow('release', "{ pull_request: { branches: ['release/**'] } }"),
    '.github/workflows/push.yml': workflow('push', 'push'),
    '.github/workflows/notes.md': 'on: pull_request',
    '.github/workflows/deeper/other.yml': workflow('deeper', 'pull_request'),
  })
  const names = () => engine.started.splice(0).map(({ workflowPath }) => workflowPath.split('/').at(-1))
  const pull = await open()
  t.strictSame(names(), ['list.yaml', 'main.yml', 'map.yml', 'word.yml'])
  await pull.push({ 'a.tf': 'c\n' })
  t.strictSame(names(), ['list.yaml', 'main.yml', 'map.yml', 'sync.yml', 'word.yml'])
  await pull.close()
  t.strictSame(names(), [])
})

t.test('the engine gets the test merge and the pull request’s own version of the file', async (t) => {
  const { engine, open, repository } = await prepare(t, { [plan]: workflow('old', 'pull_request') })
  const text = workflow('new', 'pull_request')
  const pull = await open({ [plan]: text, 'a.tf': 'b\n' })
  const [request] = engine.started
  t.match(request, {
    attempt: 1,
    number: 1,
    event: 'pull_request',
    repo: { id: repository.id, owner: 'acme', name: 'infra', defaultBranch: 'main' },
    ref: `refs/pull/${pull.number}/merge`,
    headRef: 'f',
    baseRef: 'main',
    workflowPath: plan,
    workflowText: text,
    actor: 'ann',
    gitDir: repository.gitDir,
    vars: { REGION: 'eu' },
    payload: { action: 'opened', number: pull.number, pull_request: { head: { sha: pull.headSha() } } },
  })
  t.not(request?.sha, pull.headSha())
  t.match(engine.host(), { env: { A: '1' }, path: ['/opt/bin'] })
})

t.test('a conflict starts nothing, an unreadable file fails at its start', async (t) => {
  const { engine, open, repository, app } = await prepare(t, {
    [plan]: workflow('plan', 'pull_request'),
    '.github/workflows/broken.yml': 'on: [pull_request\njobs: }',
  })
  const pull = await open()
  t.equal(engine.started.length, 1)
  const { body } = await app('GET', '/repos/acme/infra/actions/workflows/broken.yml/runs')
  t.match(body, { total_count: 1, workflow_runs: [{ status: 'completed', conclusion: 'startup_failure' }] })
  await repository.push({ changes: { 'a.tf': 'theirs\n' } })
  await pull.push({ 'a.tf': 'mine\n' })
  t.equal(engine.started.length, 1)
})

t.test('a filter that the emulator does not know is not a silent match', async (t) => {
  const { open } = await prepare(t, { [plan]: workflow('plan', '{ pull_request: { paths: [a] } }') })
  await t.rejects(open(), /plan.yml: on.pull_request.paths/)
})

const show = async (app: Ask, path: string) => (await app('GET', `/repos/acme/infra/actions/${path}`)).body

t.test('a run and its jobs, from queued to completed', async (t) => {
  const { hub, engine, open, app, received } = await prepare(t, { [plan]: workflow('plan', 'pull_request') })
  const pull = await open()
  const { id, end } = engine.started[0]!
  const host = engine.host()
  const run = `runs/${id}`
  t.match(await show(app, run), {
    name: 'plan',
    display_title: 'The title',
    status: 'queued',
    conclusion: null,
    head_sha: pull.headSha(),
    head_branch: 'f',
    path: plan,
    run_attempt: 1,
    pull_requests: [{ number: pull.number }],
  })
  host.onRun({ id, attempt: 1, status: 'in_progress', displayTitle: 'plan of f' })
  t.match(await show(app, run), { status: 'in_progress', display_title: 'plan of f' })

  const job: JobUpdate = {
    id: host.newJobId(),
    runId: id,
    attempt: 1,
    name: 'resolve',
    status: 'queued',
    conclusion: null,
    labels: ['ubuntu-latest'],
    steps: [],
  }
  host.onJob(job)
  host.onJob({ ...job, status: 'in_progress' })
  host.onLog(job.id, 'hello <b>\n')
  const steps = [{ number: 1, name: 'Run svc', status: 'completed' as const, conclusion: 'success' as const }]
  host.onJob({ ...job, status: 'in_progress', steps })
  host.onJob({ ...job, status: 'completed', conclusion: 'success', steps })
  host.onJob({ ...job, id: host.newJobId(), name: 'plan', status: 'completed', conclusion: 'skipped' })
  end('success')
  await hub.actionsSettled()
  await hub.deliveriesSettled()

  t.match(await show(app, run), { status: 'completed', conclusion: 'success' })
  t.match(await show(app, `${run}/jobs`), {
    total_count: 2,
    jobs: [
      { id: job.id, run_id: id, name: 'resolve', conclusion: 'success', steps },
      { name: 'plan', conclusion: 'skipped', runner_id: null },
    ],
  })
  t.match(hub.jobs(id), [{ log: 'hello <b>\n' }, {}])
  const page = `${hub.webUrl}/acme/infra/actions/runs/${id}/job/${job.id}`
  t.match(await (await fetch(page)).text(), 'hello &lt;b&gt;')
  const told = received
    .filter(({ event }) => event.startsWith('workflow_'))
    .map(({ event, payload }) => {
      const { name, status } = (payload.workflow_job ?? payload.workflow_run) as Record<string, string>
      return `${event} ${payload.action}: ${name} ${status}`
    })
  t.strictSame(told, [
    'workflow_run requested: plan queued',
    'workflow_run in_progress: plan in_progress',
    'workflow_job queued: resolve queued',
    'workflow_job in_progress: resolve in_progress',
    'workflow_job completed: resolve completed',
    'workflow_job completed: plan completed',
    'workflow_run completed: plan completed',
  ])
})

t.test('a job requests tokens with its own request token, until it ends', async (t) => {
  const { engine, open, hub } = await prepare(t, { [plan]: workflow('plan', 'pull_request') })
  await open()
  const { id } = engine.started[0]!
  const host = engine.host()
  const job = { id: host.newJobId(), runId: id, attempt: 1 }
  const update = { ...job, name: 'plan', labels: [], steps: [], conclusion: null }
  host.onJob({ ...update, status: 'in_progress' })
  const { url, token } = host.tokenRequest({ ...job, environment: 'prod' })!
  const request = async (suffix: string, authorization = `bearer ${token}`) => {
    const answer = await fetch(`${url}${suffix}`, { headers: { authorization } })
    return { status: answer.status, body: (await answer.json()) as { value: string } }
  }
  t.match(url, /\?/, 'the address has a query string already')
  const { body } = await request(`&audience=${encodeURIComponent('https://svc.example')}`)
  t.match(decodeJwt(body.value), { aud: 'https://svc.example', run_id: String(id), environment: 'prod' })
  t.equal(decodeJwt((await request('')).body.value).aud, `${hub.webUrl}/acme`, 'the owner’s page, unless given')
  t.equal((await request('', 'bearer made-up')).status, 401)
  host.onJob({ ...update, status: 'completed', conclusion: 'success' })
  t.equal((await request('')).status, 401, 'not after the job')
})

t.test('runs of a workflow, filtered', async (t) => {
  const { engine, open, app } = await prepare(t, { [plan]: workflow('plan', 'pull_request') })
  const pull = await open()
  const first = pull.headSha()
  await pull.push({ 'a.tf': 'c\n' })
  engine.started[0]?.end('failure')
  const list = async (query: string) =>
    (
      (await show(app, `workflows/plan.yml/runs${query}`)) as { workflow_runs: { run_number: number }[] }
    ).workflow_runs.map(({ run_number }) => run_number)
  const hour = (shift: number) => new Date(Date.now() + shift * 3_600_000).toISOString()
  const cases: [query: string, numbers: number[]][] = [
    ['', [2, 1]],
    [`?head_sha=${first}`, [1]],
    ['?status=queued', [2]],
    ['?status=failure', [1]],
    ['?event=workflow_dispatch', []],
    ['?branch=f&actor=ann', [2, 1]],
    [`?created=>=${hour(-1)}`, [2, 1]],
    [`?created=>${hour(1)}`, []],
    [`?created=${hour(-1)}..${hour(1)}`, [2, 1]],
    [`?created=${pull.workflowRuns()[0]?.createdAt.toISOString().slice(0, 10)}`, [2, 1]],
  ]
  for (const [query, numbers] of cases) t.strictSame(await list(query), numbers, query)
  t.equal((await app('GET', '/repos/acme/infra/actions/workflows/none.yml/runs')).status, 404)
  engine.started[1]?.end('success')
})
