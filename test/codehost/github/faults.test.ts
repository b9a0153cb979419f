import t from 'tap'
import { Refusal } from '#codehost/refusal.ts'
import { check, pull, pullPath, repo, scriptedGitHub } from './scripted-github.ts'

t.test('a GitHub that stumbles is asked again, each try counted under its template', async (t) => {
  const github = await scriptedGitHub(t, {
    [pullPath]: (_, times) => (times < 3 ? { status: 502, text: '<html>Bad gateway</html>' } : { json: pull }),
  })
  t.match(await github.host.getPullRequest(repo, 3), { number: 3 })
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'
  const [token, ...tries] = github.requests
  t.same(token, ['POST /app/installations/{installation_id}/access_tokens', '201'])
  t.same(tries, [
    [route, '502'],
    [route, '502'],
    [route, '200'],
  ])
})

t.test('an answer cut short is asked for again', async (t) => {
  const github = await scriptedGitHub(t, {
    [pullPath]: (_, times) => (times < 3 ? 'cut the body' : { json: pull }),
  })
  t.match(await github.host.getPullRequest(repo, 3), { number: 3 })
  t.equal(github.seen.length, 3)
})

const dispatchPath = 'POST /repos/octo/infra/actions/workflows/svc-run.yml/dispatches'
const order = { workflow: 'svc-run.yml', ref: 'main', inputs: { run_id: 'r1' } }

const faults = {
  'answers 502 and nothing else': () => ({ status: 502, text: '<html>\nBad gateway</html>' }),
  'drops the connection': () => 'drop the connection' as const,
  'sends half a body': () => 'cut the body' as const,
  'never answers': () => 'never answer' as const,
  'is another server': () => ({ text: '<html>Sign in to the network</html>' }),
  'answers JSON of another shape': () => ({ json: { message: 'hello' } }),
}

for (const [fault, script] of Object.entries(faults)) {
  t.test(`a GitHub that ${fault} is unavailable, for each kind of call`, async (t) => {
    const all = {
      [pullPath]: script,
      'GET /repos/octo/infra/commits/h1/check-runs': script,
      'GET /repos/octo/infra/contents/net': script,
      'GET /repos/octo/infra/issues/3/comments': script,
      'POST /repos/octo/infra/check-runs': script,
      'POST /repos/octo/infra/issues/3/comments': script,
      'PATCH /repos/octo/infra/issues/comments/5': script,
      'GET /app/installations': script,
      'GET /repos/octo/infra/git/trees/h1': script,
      'GET /repos/octo/infra/pulls': script,
      'GET /repos/octo/infra/pulls/3/reviews': script,
      'GET /repos/octo/infra/collaborators/ada/permission': script,
      'POST /repos/octo/infra/issues/comments/5/reactions': script,
      [dispatchPath]: script,
      'GET /repos/octo/infra/actions/workflows/svc-run.yml/runs': script,
      'GET /app/hook/deliveries': script,
    }
    const { host } = await scriptedGitHub(t, all, { timeoutMs: 60 })
    const unavailable = { name: 'Problem', code: 'unavailable', status: 503, cause: Error }
    await t.rejects(host.getPullRequest(repo, 3), {
      ...unavailable,
      message: /^github: reading pull request 3 of octo\/infra: /,
    })
    await t.rejects(host.listCheckRuns(repo, { sha: 'h1', name: 'svc/plan' }), unavailable, 'not an empty list')
    await t.rejects(host.pathsThatExist(repo, 'h1', ['net']), unavailable, 'not "it is gone"')
    await t.rejects(host.findComment(repo, 3, '<!-- m -->'), unavailable, 'not "no comment yet"')
    await t.rejects(host.createCheckRun(repo, check), unavailable)
    await t.rejects(host.createComment(repo, 3, 'text'), unavailable)
    await t.rejects(host.updateComment(repo, 5, 'text'), unavailable, 'not "deleted"')
    await t.rejects(host.listInstallations(), unavailable)
    await t.rejects(host.pathsThatExist(repo, 'h1', ['a', 'b', 'c', 'd']), unavailable, 'not "all are gone"')
    await t.rejects(host.listOpenPullRequests(repo), unavailable, 'not "none is open"')
    await t.rejects(host.listReviews(repo, 3), unavailable, 'not "nobody approved"')
    await t.rejects(host.permissionOf(repo, 'ada'), unavailable, 'not "none"')
    await t.rejects(host.addReaction(repo, 5, 'eyes'), unavailable, 'not "the comment is gone"')
    await t.rejects(host.dispatchWorkflow(repo, order), unavailable, 'neither a start nor a refusal')
    await t.rejects(host.listWorkflowRuns(repo, 'svc-run.yml', new Date(0)), unavailable, 'not "it did not start"')
    await t.rejects(host.listFailedDeliveries(new Date(0)), unavailable, 'not "all arrived"')
  })
}

t.test('a GitHub that cannot be reached is unavailable', async (t) => {
  const github = await scriptedGitHub(t, {}, { apiUrl: 'http://127.0.0.1:1' })
  await t.rejects(github.host.getPullRequest(repo, 3), { code: 'unavailable', message: /ECONNREFUSED|bad port/ })
})

t.test('a create is sent once, whatever happens to the answer; an update is tried again', async (t) => {
  const bad = () => ({ status: 503, text: 'try later' })
  const github = await scriptedGitHub(t, {
    'POST /repos/octo/infra/check-runs': bad,
    'POST /repos/octo/infra/issues/3/comments': () => 'drop the connection',
    'PATCH /repos/octo/infra/check-runs/5': (_, times) => (times < 3 ? bad() : { json: { id: 5 } }),
    'POST /repos/octo/infra/issues/comments/5/reactions': (_, times) => (times < 3 ? bad() : { json: { id: 1 } }),
    [dispatchPath]: (_, times) => (times === 1 ? bad() : 'drop the connection'),
    'POST /app/hook/deliveries/9/attempts': bad,
  })
  await t.rejects(github.host.dispatchWorkflow(repo, order), { code: 'unavailable' })
  await t.rejects(github.host.dispatchWorkflow(repo, order), { code: 'unavailable' })
  await t.rejects(github.host.redeliver(9), { code: 'unavailable' })
  t.equal(await github.host.addReaction(repo, 5, 'eyes'), true)
  await t.rejects(github.host.createCheckRun(repo, check), { code: 'unavailable' })
  await t.rejects(github.host.createComment(repo, 3, 'text'), { code: 'unavailable' })
  t.equal(await github.host.updateCheckRun(repo, 5, check), true)
  t.same(
    github.seen.map(({ method, path }) => `${method} ${path}`),
    [
      dispatchPath,
      dispatchPath,
      'POST /app/hook/deliveries/9/attempts',
      ...Array(3).fill('POST /repos/octo/infra/issues/comments/5/reactions'),
      'POST /repos/octo/infra/check-runs',
      'POST /repos/octo/infra/issues/3/comments',
      ...Array(3).fill('PATCH /repos/octo/infra/check-runs/5'),
    ],
  )
})

t.test('a comment whose answer was lost is found, so none is doubled', async (t) => {
  const comments: unknown[] = []
  const github = await scriptedGitHub(
    t,
    {
      'POST /repos/octo/infra/issues/3/comments': ({ body }) => {
        comments.push({ id: 77, body: body.body, performed_via_github_app: { id: 7 } })
        return { status: 201, json: { id: 77 } }
      },
      'GET /repos/octo/infra/issues/3/comments': () => ({ json: comments }),
    },
    {
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        if (init?.method === 'POST' && String(url).endsWith('/comments')) throw new TypeError('killed after the call')
        return response
      },
    },
  )
  await t.rejects(github.host.createComment(repo, 3, '<!-- m -->\nhello'), { code: 'unavailable' })
  t.equal(await github.host.findComment(repo, 3, '<!-- m -->'), 77)
})

t.test('a dispatch that started but never got an answer is found by its title, and was sent once', async (t) => {
  const started: unknown[] = []
  const github = await scriptedGitHub(
    t,
    {
      [dispatchPath]: ({ body }) => {
        const { run_id } = body.inputs as { run_id: string }
        started.push({
          id: 31,
          event: 'workflow_dispatch',
          display_title: `svc apply ${run_id} wave 0`,
          path: '.github/workflows/svc-run.yml',
          head_sha: 'b1',
          head_branch: 'main',
          status: 'queued',
          conclusion: null,
          html_url: 'https://test/31',
          created_at: '2026-01-01T00:00:01Z',
        })
        return 'never answer'
      },
      'GET /repos/octo/infra/actions/workflows/svc-run.yml/runs': () => ({ json: { workflow_runs: started } }),
    },
    { timeoutMs: 500 },
  )
  await t.rejects(github.host.dispatchWorkflow(repo, order), { code: 'unavailable', name: 'Problem' })
  t.match(await github.host.listWorkflowRuns(repo, 'svc-run.yml', new Date(0)), [
    { id: 31, title: 'svc apply r1 wave 0', attempt: 1 },
  ])
  t.equal(started.length, 1)
})

const limited: [
  name: string,
  answer: { status: number; headers?: Record<string, string>; message: string },
  seconds: number,
][] = [
  ['a retry-after', { status: 429, headers: { 'retry-after': '7' }, message: 'slow down' }, 7],
  [
    'a retry-after of a secondary limit',
    { status: 403, headers: { 'retry-after': '90' }, message: 'You have exceeded a secondary rate limit' },
    90,
  ],
  [
    'a limit used up, by the clock of GitHub',
    {
      status: 403,
      headers: {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '1000000120',
        date: new Date(1_000_000_000_000).toUTCString(),
      },
      message: 'API rate limit exceeded',
    },
    121,
  ],
  ['a secondary limit without a time', { status: 403, message: 'You have exceeded a secondary rate limit.' }, 60],
  ['a 429 without a time', { status: 429, message: 'no' }, 60],
  ['a day', { status: 403, headers: { 'retry-after': '86400' }, message: 'no' }, 3600],
]

for (const [name, { status, headers = {}, message }, seconds] of limited) {
  t.test(`a rate limit with ${name} delays the job by ${seconds} s, and is sent once`, async (t) => {
    const github = await scriptedGitHub(
      t,
      { 'PATCH /repos/octo/infra/issues/comments/5': () => ({ status, headers, json: { message } }) },
      { paced: name === 'a retry-after' },
    )
    await t.rejects(github.host.updateComment(repo, 5, 'text'), { name: 'RetryAfter', code: 'unavailable', seconds })
    t.equal(github.seen.length, 1)
  })
}

t.test(
  'a dispatch over the rate limit is delayed and not sent again, with GitHub Enterprise Server as without',
  async (t) => {
    for (const base of ['', '/api/v3']) {
      const limit = () => ({ status: 403, headers: { 'retry-after': '30' }, json: { message: 'secondary rate limit' } })
      const token = { token: 'ghs_42', expires_at: new Date(Date.now() + 3_600_000).toISOString(), permissions: {} }
      const scripts = {
        [dispatchPath.replace(' ', ` ${base}`)]: limit,
        [`POST ${base}/app/installations/42/access_tokens`]: () => ({ status: 201, json: token }),
      }
      const github = await scriptedGitHub(t, scripts)
      const { host } = base === '' ? github : await scriptedGitHub(t, {}, { apiUrl: `${github.url}${base}` })
      await t.rejects(host.dispatchWorkflow(repo, order), { name: 'RetryAfter', seconds: 30 })
      t.equal(github.seen.length, 1)
    }
  },
)

t.test("GitHub's no is a refusal in its own words, and is not asked again by the same token", async (t) => {
  const github = await scriptedGitHub(t, {
    'POST /repos/octo/infra/check-runs': () => ({
      status: 403,
      json: { message: 'Resource not accessible by integration' },
    }),
    'PATCH /repos/octo/infra/check-runs/5': () => ({ status: 422, json: { message: 'Invalid request.' } }),
    'GET /repos/octo/infra/issues/3/comments': () => ({ status: 409, json: { message: 'Conflict' } }),
  })
  const error = await github.host.createCheckRun(repo, check).catch((error: unknown) => error)
  t.ok(error instanceof Refusal)
  t.match(error, {
    hostStatus: 403,
    code: 'forbidden',
    message: 'github: creating check run svc/plan in octo/infra: 403 Resource not accessible by integration',
  })
  await t.rejects(github.host.updateCheckRun(repo, 5, check), { name: 'Refusal', hostStatus: 422, code: 'unavailable' })
  await t.rejects(
    github.host.findComment(repo, 3, '<!-- m -->'),
    { name: 'Refusal', hostStatus: 409 },
    'a 409 is not the end of a list',
  )
  t.equal(github.seen.length, 4)
  t.notMatch(JSON.stringify(error), /ghs_42/, 'no token in the error')
})
