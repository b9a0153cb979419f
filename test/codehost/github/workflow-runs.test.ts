import t from 'tap'
import { paged, repo, scriptedGitHub } from './scripted-github.ts'

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

t.test('a workflow run is read; a run with an unknown status goes on until it has a conclusion', async (t) => {
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

t.test('a run of this app is distinguished from those of a person, a job or another app', async (t) => {
  const actors = [
    { login: 'mallory', type: 'User' },
    { login: 'github-actions[bot]', type: 'Bot' },
    { login: 'other-app[bot]', type: 'Bot' },
    { login: 'svc-test[bot]', type: 'User' },
    null,
  ]
  const routes = actors.map((actor, n) => [
    `GET /repos/octo/infra/actions/runs/${n + 1}`,
    () => ({ json: { ...run, actor } }),
  ])
  const github = await scriptedGitHub(t, Object.fromEntries(routes))
  for (const id of [1, 2, 3, 4, 5]) t.match(await github.host.getWorkflowRun(repo, id), { byApp: false })
})

const runsOf = 'GET /repos/octo/infra/actions/workflows/svc-run.yml/runs'
const since = new Date('2026-01-01T00:00:01.900Z')

t.test('runs of a workflow are listed since a second, whatever their event, each once', async (t) => {
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

t.test('a list of runs ends at a thousand, and is not empty when the workflow is missing', async (t) => {
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
