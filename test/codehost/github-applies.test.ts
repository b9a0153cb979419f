import t from 'tap'
import { paged, pull, repo, scriptedGitHub } from './scripted-github.ts'

t.test('open pull requests are listed without what only a single one tells', async (t) => {
  const { mergeable: _, mergeable_state: __, changed_files: ___, ...listed } = pull
  const pulls = [3, 4, 5].map((number) => ({ ...listed, number, head: { ...pull.head, repo: null } }))
  const github = await scriptedGitHub(t, { 'GET /repos/octo/infra/pulls': paged(pulls, (page) => page) })
  const open = await github.host.listOpenPullRequests(repo)
  t.same(
    open.map(({ number }) => number),
    [3, 4, 5],
  )
  t.same(open[0], {
    number: 3,
    state: 'open',
    mergedAt: null,
    mergeCommitSha: null,
    draft: false,
    headSha: 'h1',
    headRef: 'feature',
    headRepoId: null,
    baseSha: 'b1',
    baseRef: 'main',
    author: 'ada',
  })
  t.match(Object.fromEntries(github.seen.at(-1)!.query), {
    state: 'open',
    sort: 'created',
    direction: 'asc',
    page: '2',
  })
})

t.test('reviews are listed whole, also of a bot, of a gone account and of no commit', async (t) => {
  const reviews = [
    { user: { login: 'ada', type: 'User' }, state: 'APPROVED', commit_id: 'h0', submitted_at: '2026-01-01T00:00:00Z' },
    { user: { login: 'rev[bot]', type: 'Bot' }, state: 'COMMENTED', commit_id: 'h1', submitted_at: null },
    { user: null, state: 'DISMISSED', commit_id: null, submitted_at: '2026-01-02T00:00:00Z' },
    { user: { login: 'bob', type: 'User' }, state: 'PENDING', commit_id: 'h1' },
  ]
  const github = await scriptedGitHub(t, { 'GET /repos/octo/infra/pulls/3/reviews': paged(reviews, (page) => page) })
  t.same(await github.host.listReviews(repo, 3), [
    { login: 'ada', bot: false, state: 'APPROVED', commitId: 'h0', submittedAt: '2026-01-01T00:00:00Z' },
    { login: 'rev[bot]', bot: true, state: 'COMMENTED', commitId: 'h1', submittedAt: null },
    { login: null, bot: false, state: 'DISMISSED', commitId: null, submittedAt: '2026-01-02T00:00:00Z' },
    { login: 'bob', bot: false, state: 'PENDING', commitId: 'h1', submittedAt: null },
  ])
})

t.test('a permission is the legacy level, whatever the role is called; a stranger has none', async (t) => {
  const level = (permission: string, role_name: string) => () => ({ json: { permission, role_name, user: {} } })
  const github = await scriptedGitHub(t, {
    'GET /repos/octo/infra/collaborators/ada/permission': level('admin', 'admin'),
    'GET /repos/octo/infra/collaborators/bob/permission': level('write', 'maintain'),
    'GET /repos/octo/infra/collaborators/cyd/permission': level('read', 'triage'),
    'GET /repos/octo/infra/collaborators/dan/permission': level('none', 'none'),
    'GET /repos/octo/infra/collaborators/eve/permission': level('owner', 'owner'),
  })
  const people = ['ada', 'bob', 'cyd', 'dan', 'nobody']
  const levels = await Promise.all(people.map((login) => github.host.permissionOf(repo, login)))
  t.same(levels, ['admin', 'write', 'read', 'none', 'none'])
  await t.rejects(
    github.host.permissionOf(repo, 'eve'),
    { code: 'unavailable' },
    'a level we do not know is not guessed',
  )
})

const no = (status: number, message: string) => () => ({ status, json: { message } })
const membership = 'GET /orgs/octo/teams/ops/memberships/ada'
const team = 'GET /orgs/octo/teams/ops'
const seesTeam = { [team]: () => ({ json: { id: 1, slug: 'ops' } }) }
type Scripts = Parameters<typeof scriptedGitHub>[1]
const memberships: [name: string, scripts: Scripts, member: boolean | undefined, requests: number][] = [
  ['active', { [membership]: () => ({ json: { state: 'active', role: 'member' } }) }, true, 1],
  ['invited, but not yet in', { [membership]: () => ({ json: { state: 'pending', role: 'member' } }) }, false, 1],
  ['not in a team that the app sees', seesTeam, false, 2],
  ['of a team that is not there', {}, undefined, 2],
  ['of a team that the app may not ask for', { [membership]: no(403, 'Resource not accessible') }, undefined, 1],
  ['of a team that it may not look at', { [team]: no(403, 'Resource not accessible') }, undefined, 2],
]

for (const [name, scripts, member, requests] of memberships) {
  t.test(`whether a person who is ${name} is a member: ${member}`, async (t) => {
    const github = await scriptedGitHub(t, scripts)
    t.equal(await github.host.isTeamMember(42, { org: 'octo', slug: 'ops' }, 'ada'), member)
    t.equal(github.seen.length, requests)
    t.equal(github.seen[0]?.headers.authorization, 'token ghs_42')
  })
}

t.test('a team that GitHub does not answer for is not one without the member', async (t) => {
  const bad = () => ({ status: 502, text: 'Bad gateway' })
  for (const scripts of [{ [membership]: bad }, { [team]: bad }]) {
    const { host } = await scriptedGitHub(t, scripts)
    await t.rejects(host.isTeamMember(42, { org: 'octo', slug: 'ops' }, 'ada'), { code: 'unavailable' })
  }
  const limited = await scriptedGitHub(t, { [membership]: no(403, 'You have exceeded a secondary rate limit') })
  await t.rejects(limited.host.isTeamMember(42, { org: 'octo', slug: 'ops' }, 'ada'), { name: 'RetryAfter' })
})

t.test('a reaction is the same new or old, and missed with its comment', async (t) => {
  const github = await scriptedGitHub(t, {
    'POST /repos/octo/infra/issues/comments/77/reactions': (_, times) => ({
      status: times === 1 ? 201 : 200,
      json: { id: 1, content: 'eyes' },
    }),
  })
  t.equal(await github.host.addReaction(repo, 77, 'eyes'), true)
  t.equal(await github.host.addReaction(repo, 77, 'eyes'), true)
  t.same(github.seen[0]?.body, { content: 'eyes' })
  t.equal(await github.host.addReaction(repo, 78, 'rocket'), false)
})

const dispatches = 'POST /repos/octo/infra/actions/workflows/svc-run.yml/dispatches'
const order = { workflow: 'svc-run.yml', ref: 'main', inputs: { run_id: 'r1', wave: '0' } }
const named = () => ({ json: { workflow_run_id: 31, run_url: 'https://api.test/31', html_url: 'https://test/31' } })

t.test('a dispatch asks for its run on github.com, and may go without', async (t) => {
  const github = await scriptedGitHub(t, { [dispatches]: (_, times) => (times === 1 ? named() : { status: 204 }) })
  t.equal(await github.host.dispatchWorkflow(repo, order), 31)
  t.equal(await github.host.dispatchWorkflow(repo, order), undefined)
  t.same(github.seen[0]?.body, { ref: 'main', inputs: order.inputs, return_run_details: true })
})

t.test('GitHub Enterprise Server is not asked for the run of a dispatch, nor below causedBy', async (t) => {
  const path = dispatches.replace('POST ', 'POST /api/v3')
  const listening = await scriptedGitHub(t, {
    'POST /api/v3/app/installations/42/access_tokens': () => ({
      status: 201,
      json: { token: 'ghs_42', expires_at: new Date(Date.now() + 3_600_000).toISOString(), permissions: {} },
    }),
    [path]: () => ({ status: 204 }),
  })
  for (const ending of ['/api/v3', '/api/v3/']) {
    const { host } = await scriptedGitHub(t, {}, { apiUrl: `${listening.url}${ending}` })
    t.equal(await host.dispatchWorkflow(repo, order), undefined)
    t.equal(await host.causedBy('job-1').dispatchWorkflow(repo, order), undefined)
  }
  t.equal(listening.seen.length, 4)
  for (const { body } of listening.seen) t.same(body, { ref: 'main', inputs: order.inputs })
})

const refusals: [status: number, message: string][] = [
  [404, 'Not Found'],
  [403, 'Resource not accessible by integration'],
  [422, "Workflow does not have 'workflow_dispatch' trigger"],
  [422, 'Unexpected inputs provided: ["wave"]'],
  [422, 'inputs are too large.'],
]

for (const [hostStatus, message] of refusals) {
  t.test(`a dispatch refused with ${hostStatus} says why in GitHub's words: ${message}`, async (t) => {
    const documentation_url = 'https://docs.github.com/rest/actions/workflows'
    const github = await scriptedGitHub(t, {
      [dispatches]: () => ({ status: hostStatus, json: { message, documentation_url } }),
    })
    await t.rejects(github.host.dispatchWorkflow(repo, order), {
      name: 'Refusal',
      hostStatus,
      hostMessage: message,
      message: `github: dispatching svc-run.yml of octo/infra on main: ${hostStatus} ${message} - ${documentation_url}`,
    })
    t.equal(github.seen.length, 1)
  })
}

const run = {
  id: 31,
  name: 'svc-run',
  event: 'workflow_dispatch',
  display_title: 'svc apply r1 wave 0 h1',
  path: '.github/workflows/svc-run.yml@main',
  head_sha: 'b1',
  head_branch: 'main',
  actor: { login: 'svc-test[bot]', type: 'Bot' },
  run_attempt: 2,
  status: 'waiting',
  conclusion: null,
  html_url: 'https://test/31',
  created_at: '2026-01-01T00:00:01Z',
}
const read = {
  id: 31,
  event: 'workflow_dispatch',
  title: 'svc apply r1 wave 0 h1',
  path: '.github/workflows/svc-run.yml',
  headSha: 'b1',
  headBranch: 'main',
  byApp: true,
  attempt: 2,
  status: 'waiting',
  conclusion: null,
  url: 'https://test/31',
  createdAt: '2026-01-01T00:00:01Z',
}

t.test('a workflow run is read; one of a status that GitHub may add goes on until it has a conclusion', async (t) => {
  const github = await scriptedGitHub(t, {
    'GET /repos/octo/infra/actions/runs/31': () => ({ json: run }),
    'GET /repos/octo/infra/actions/runs/32': () => ({ json: { ...run, status: 'thinking', head_branch: null } }),
    'GET /repos/octo/infra/actions/runs/33': () => ({ json: { ...run, status: null, conclusion: 'startup_failure' } }),
  })
  t.same(await github.host.getWorkflowRun(repo, 31), read)
  t.match(await github.host.getWorkflowRun(repo, 32), { status: 'in_progress', conclusion: null, headBranch: null })
  t.match(await github.host.getWorkflowRun(repo, 33), { status: 'completed', conclusion: 'startup_failure' })
  t.equal(await github.host.getWorkflowRun(repo, 34), undefined)
})

t.test('a run that a person or a job started is told from one of an app', async (t) => {
  const actors = [{ login: 'mallory', type: 'User' }, { login: 'github-actions[bot]', type: 'Bot' }, null]
  const routes = actors.map((actor, n) => [
    `GET /repos/octo/infra/actions/runs/${n + 1}`,
    () => ({ json: { ...run, actor } }),
  ])
  const github = await scriptedGitHub(t, Object.fromEntries(routes))
  for (const id of [1, 2, 3]) t.match(await github.host.getWorkflowRun(repo, id), { byApp: false })
})

const runsOf = 'GET /repos/octo/infra/actions/workflows/svc-run.yml/runs'
const since = new Date('2026-01-01T00:00:01.900Z')

t.test('runs of a workflow are listed since a second, of whatever event, each once', async (t) => {
  const runs = [33, 32, 32, 31].map((id) => ({ ...run, id, event: id === 32 ? 'push' : 'workflow_dispatch' }))
  const github = await scriptedGitHub(t, {
    [runsOf]: paged(runs, (workflow_runs) => ({ total_count: 4, workflow_runs })),
  })
  const listed = await github.host.listWorkflowRuns(repo, 'svc-run.yml', since)
  t.same(
    listed.map(({ id, event }) => [id, event]),
    [
      [33, 'workflow_dispatch'],
      [32, 'push'],
      [31, 'workflow_dispatch'],
    ],
  )
  const { query } = github.seen[0]!
  t.equal(query.get('created'), '>=2026-01-01T00:00:01Z', 'not a second too late')
  t.equal(query.get('event'), null)
})

t.test('a list of runs ends at a thousand, and is none without the workflow', async (t) => {
  const github = await scriptedGitHub(t, {
    [runsOf]: ({ query }) => {
      const page = Number(query.get('page') ?? 1)
      const workflow_runs = Array.from({ length: 100 }, (_, at) => ({ ...run, id: 9999 - page * 100 - at }))
      return {
        json: { total_count: 5000, workflow_runs },
        headers: { link: `<http://github.test/x?page=${page + 1}>; rel="next"` },
      }
    },
  })
  t.equal((await github.host.listWorkflowRuns(repo, 'svc-run.yml', since)).length, 1000)
  t.equal(github.seen.length, 10)
  await t.rejects(github.host.listWorkflowRuns(repo, 'gone.yml', since), { name: 'Refusal', hostStatus: 404 })
})
